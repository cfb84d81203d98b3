// What the page and the Worker say to each other.

import type {
  EndReport,
  ErrorCode,
  LoadReport,
  Memory,
  MemoryStats,
  Message,
  Question,
  SessionInfo,
} from "siltstone";

/** The body of `POST /api/chat`. */
export interface ChatRequest {
  user: string;
  session: string;
  message: string;
  /** The id of the message; sent again with the same id, it is stored once. */
  id: string;
}

/** The body of `POST /api/end`. */
export interface EndRequest {
  user: string;
  session: string;
}

/** What can be done with a memory: `POST /api/memories/:id/:action`. */
export type MemoryAction = "pin" | "unpin" | "update" | "revert" | "forget" | "restore" | "delete";

/** What went wrong. */
export interface ErrorBody {
  error: { code: ErrorCode | "not_allowed" | "internal"; message: string; path?: string };
}

/** The lines of the answer to `POST /api/chat`, each a JSON document, in this order. */
export type ChatEvent =
  | { type: "turn"; messages: Message[]; report: LoadReport }
  | { type: "text"; text: string }
  | { type: "done" }
  | ({ type: "error" } & ErrorBody);

/** What the other routes answer. */
export interface Answers {
  end: EndReport;
  memories: {
    memories: Memory[];
    /** Of those that are remembered. */
    total: number;
    /** Those that can be taken back, the one forgotten last first. */
    forgotten: Memory[];
    questions: Question[];
    stats: MemoryStats;
  };
  history: { versions: Memory[] };
  sessions: { sessions: SessionInfo[] };
  messages: { messages: Message[] };
}
