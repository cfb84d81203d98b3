import type { Memory } from "./memory.js";
import type { Message, SessionScope } from "./messages.js";

/** Something that did not go as it should and did not stop the call. */
export interface Warning {
  /** A stable name, such as `recall_failed`. */
  code: string;
  /** A sentence for people. */
  message: string;
}

/** How one call searches the long-term memory; what is absent is taken from the configuration. */
export interface SearchOptions {
  /** What was talked about around the query; at most the first 200 characters are used. */
  context?: string;
  /** Match keywords only, even where embeddings are there. */
  keywordOnly?: boolean;
  /** Leave memories marked sensitive out. */
  filterSensitive?: boolean;
}

/** What `load` needs to prepare a turn. */
export interface LoadRequest extends SearchOptions {
  scope: SessionScope;
  /** This turn's message. */
  message: string | Message;
  /** Your instructions to the model. */
  system?: string | Message[];
  /** The tool schemas of this turn; their tokens count in the budget. */
  tools?: object[];
  /** Memories that relevance may bring into the turn. */
  topK?: number;
}

/** What goes to the model, and why. */
export interface Turn {
  /** The messages for the model, in order, within the budget. */
  messages: Message[];
  /** What was kept, what was dropped, and why. */
  report: LoadReport;
}

/** Why a message is not in the window. */
export type DropReason =
  /** Siltstone had made it: a summary or memories that a client sent back. */
  | "synthetic"
  /** The same system message, or the same id as this turn's message, is there already. */
  | "duplicate"
  /** Nothing was left of it without its reasoning and tool mark-up. */
  | "emptied"
  /** A tool call without all of its results. */
  | "incomplete_call"
  /** A tool result without its call. */
  | "orphan_result"
  /** It breaks the alternation of user and assistant. */
  | "alternation"
  /** Its text was merged into the message after it. */
  | "merged"
  /** An assistant turn before the first user turn of the window. */
  | "leading_assistant"
  /** It is older than what the token budget holds. */
  | "tokens"
  /** It is older than what `window.maxMessages` holds. */
  | "messages";

/** Why a memory that was found is not in the turn: the limit that it did not fit. */
export type RecallDropReason =
  /** `recall.scopeLimit`. */
  | "scope_limit"
  /** The share of the budget that the user's memories may have: `budget.userShare`. */
  | "user_share"
  /** What the user's memories left of `budget.maxTokens`. */
  | "tokens"
  /** It gave way to this turn's message: `window.maxTokens`. */
  | "window";

/** What was kept of the conversation and the memories, what was dropped, and why. */
export interface LoadReport {
  /** Tokens by section; `total` is their sum and never over `budget`. */
  tokens: {
    total: number;
    budget: number;
    /** What the model's answer is primed with. */
    priming: number;
    system: number;
    memory: number;
    summary: number;
    history: number;
    current: number;
    tools: number;
  };
  /** Messages that were left out. */
  dropped: { id?: string; role: Message["role"]; reason: DropReason; tokens: number }[];
  /** Messages of the session that are older than what was read: `agent.contextRounds` bounds that. */
  older: number;
  /** What long-term recall did. */
  recall: {
    status: "ok" | "skipped" | "failed";
    /** Why it was skipped or failed. */
    reason?: string;
    /** The memories in the turn; standing ones are in every turn, recalled ones fit this message. */
    hits: {
      id: string;
      /** From 0 to 1; `null` where the question did not find it. */
      score: number | null;
      scope: "user" | "agent";
      section: "standing" | "recalled";
    }[];
    /** Memories that were found and are not in the turn. */
    dropped: { id: string; reason: RecallDropReason }[];
  };
  /** Leading messages that do not depend on this turn, which a provider's prefix cache can keep. */
  stablePrefix: number;
  /**
   * What became of the session's summary: there was none, all of the history fits without it, it is
   * in the turn, it is there but cut, there was no room for it, or it could not be read.
   */
  summary: "absent" | "not_needed" | "used" | "cut" | "no_room" | "unreadable";
  /** Whether this turn's message was cut to fit. */
  cut: boolean;
  /** Where the history came from. */
  historySource: "cache" | "store" | "none";
  warnings: Warning[];
}

/** What `append` did with each message, by its index in the request. */
export interface AppendResult {
  stored: { index: number; id: string }[];
  skipped: { index: number; reason: "duplicate" | "synthetic" | "sub_agent" }[];
}

/** Which messages of a session to read. */
export interface MessagesOptions {
  /** Messages at most. 1 to 1,000; default: 100. */
  limit?: number;
  /** Only messages before the one of this id. */
  before?: string;
}

/** A memory and why something became of it. */
export interface Fate {
  id: string;
  reason: "over_limit" | "cold_overflow" | "faded" | "expired" | "purged";
}

/** What time and limits did to memories along with a change. */
export interface Effects {
  /** Memories that went to the archive. */
  evicted: Fate[];
  /** Ids of memories that lost their pin, since others of the pinned are worth more. */
  demoted: string[];
  /** Ids of memories that settled for long. */
  promoted: string[];
  /** Memories that are out of every recall, those that are gone for good included. */
  forgotten: Fate[];
  /** Texts that were made shorter: what they were and what they are. */
  condensed: Condensed[];
}

/** A text that was made shorter; every fact is still in it. */
export interface Condensed {
  /** The memory; absent for a judge's proposal, which had no id yet. */
  id?: string;
  before: string;
  after: string;
}

/** A memory after a change, and what that did to others. */
export interface AlteredMemory extends Memory, Effects {}

/** What the end of a session left in the long-term memory. */
export interface EndReport extends Effects {
  /** `"busy"`: another call is at it right now. */
  status: "done" | "nothing_new" | "busy";
  /** Who decided what is worth keeping. */
  judgedBy: "llm" | "rules" | "verbatim" | "service" | null;
  /** Messages that no earlier end of the session had seen. */
  newMessages: number;
  /** With a memory service each has the id of its effect, until the service gives it one. */
  stored: Memory[];
  /** Proposals that say what is known already, with the text that they went into. */
  merged: { content: string; into: string; reason: string }[];
  /** Memories that a newer one replaced. */
  superseded: { id: string; by: string; reason: string }[];
  /** Proposals that were not stored. */
  dropped: { content: string; reason: string }[];
  /** Ids of the questions to the person that arose. */
  questions: string[];
  /** `through`: how many messages of the session the summary covers now. */
  summary: { status: "made" | "not_due" | "failed" | "no_llm"; through?: number };
  /** Ids of effects at a memory service that are not done yet: they stay in the outbox. */
  pending?: string[];
  /**
   * What was worked around: why rules judged although there is a language model, an answer of it
   * that broke off, why there is no new summary.
   */
  warnings: Warning[];
}

/** How one `recall` searches. */
export interface RecallOptions extends SearchOptions {
  /** Memories at most. 1 to 1,000; default: `config.recall.topK`. */
  limit?: number;
  /** Search the archive as well; what is found there takes part in recall again. Default: false. */
  cold?: boolean;
}

/** What `recall` found. */
export interface RecallResult {
  /** Best first. */
  hits: { memory: Memory; score: number | null }[];
  /**
   * The sessions it was said in, best first, at most 10: by all their words, by their best memory
   * and by several, as a share of the best.
   */
  sessions: { session: string; score: number }[];
  /** The memories as fenced text for a prompt. */
  text: string;
  /** What was worked around: a memory service that failed. */
  warnings?: Warning[];
}

/** Which memories to list. */
export interface ListOptions {
  /** Memories at most. 1 to 1,000; default: 100. */
  limit?: number;
  /** Where the previous page ended. */
  cursor?: string;
  /** Also those that were superseded or forgotten. */
  includeInvalid?: boolean;
}

/** One page of memories, newest first. */
export interface MemoryPage {
  memories: Memory[];
  /** Memories on all pages. */
  total: number;
  /** Absent on the last page. */
  cursor?: string;
}

/** What became of a person's data in one place outside the store. */
export interface ForgottenOutside {
  place: "cache" | "vectors" | "memos" | "mem0";
  /** `pending`: not gone yet; `replay` and `maintain` try again. */
  status: "removed" | "pending";
  /** What is in the way. */
  reason?: string;
}

/** What `forgetUser` removed, and what it could not reach. */
export interface ForgetReceipt {
  /** Records removed from the store, by kind: `memory`, `message`, `session` and so on. */
  removed: Record<string, number>;
  /** The places outside the store that there are. */
  outside: ForgottenOutside[];
  /** Whether nothing is left anywhere. */
  isComplete: boolean;
}

/**
 * How many memories a scope sees, by their state: `hot`, `cold`, `held`, `expired`, `forgotten`
 * and `superseded` add up to `total`.
 */
export interface MemoryStats {
  total: number;
  /** In ordinary recall. */
  hot: number;
  /** In the archive. */
  cold: number;
  /** Waiting for `memories(scope).allow(id)`. */
  held: number;
  /** No longer true, and not yet looked after. */
  expired: number;
  /** Forgotten softly: kept, and out of every recall. */
  forgotten: number;
  /** Replaced by a newer version or another memory. */
  superseded: number;
  /** Of `hot` and `cold`: protected by the user. */
  pinned: number;
  /** Of `hot` and `cold`: settled for long. */
  long: number;
}

/** A memory that is worth a pin, and why. */
export interface PinCandidate {
  memory: Memory;
  /** `"credentials"`: it says where they are kept. */
  reason: "identity" | "preference" | "credentials" | "task";
}

/** How many candidates to give. */
export interface PinCandidatesOptions {
  /** Candidates at most. 1 to 1,000; default: `config.life.maxPinned`. */
  limit?: number;
}

/** How a memory is changed. */
export interface UpdateOptions {
  /** Fails with `conflict` unless the memory is of this version. */
  expectedVersion?: number;
}

/** A contradiction that is worth asking the person about. */
export interface Question {
  id: string;
  /** The question, as one sentence. */
  text: string;
  /** What was said before. */
  old: Memory;
  /** What contradicts it. */
  new: Memory;
}

/** What is right of two memories that contradict each other. */
export type Keep = "old" | "new" | "both";

/** How much one slice of maintenance does. */
export interface MaintainOptions {
  /** Users at most. 1 to 100,000; default: `config.life.maintainUsers`. */
  limit?: number;
}

/** What maintenance did to one user's memories. */
export interface UserChanges extends Effects {
  tenant: string;
  user: string;
}

/** What one slice of maintenance did. */
export interface MaintainReport {
  /** Users that were looked after. */
  users: number;
  /** Users that could not be: it is logged, and the next round tries again. */
  failed: number;
  /** Memories that went to the archive. */
  evicted: number;
  /** Memories that settled for long. */
  promoted: number;
  /** Texts that were made shorter as their memories settled. */
  condensed: number;
  /** Memories that lost their pin. */
  demoted: number;
  /** Memories that were forgotten, softly or for good. */
  forgotten: number;
  /** Records of memories that are gone for good, older versions included. */
  removed: number;
  /** Marks of what is gone whose time was over. */
  tombstones: number;
  /** Sessions whose bookkeeping was folded. */
  sessions: number;
  /** Locks that nobody held any more. */
  locks: number;
  /** Effects outside the store that were done at last. */
  effectsDone: number;
  /** Attempts at such effects that failed: logged, and made again later. */
  effectsFailed: number;
  /** Such effects that were given up: `outbox.deadLetters` lists them. */
  effectsDead: number;
  /** Which memories these are and why, for each user with any. */
  changes: UserChanges[];
  /** Whether the round through all users is complete and no effect is due. */
  done: boolean;
  /** When to run the next slice, in milliseconds since the epoch: at once unless `done`. */
  nextRunAt: number;
}

/** A memory that was added, or the one that said so already. */
export interface AddResult extends Effects {
  /** The memory that holds it now. */
  memory: Memory;
  /**
   * `"merged"`: a memory said the same already; `"outdated"`: a newer one says otherwise;
   * `"pending"`: the memory service has not taken it yet, it stays in the outbox.
   */
  action: "stored" | "merged" | "outdated" | "pending";
  /** Ids of the memories that it replaced. */
  superseded: string[];
  /** Ids of the questions to the person that arose. */
  questions: string[];
}

/** One conversation of a user. */
export interface SessionInfo {
  session: string;
  agent?: string;
  /** How many messages are stored. */
  messages: number;
  /** When it began, in milliseconds since the epoch. */
  createdAt: number;
  /** When it last changed, in milliseconds since the epoch. */
  updatedAt: number;
}

/** The summary of a session. */
export interface Summary {
  text: string | null;
  /** How many messages of the session it covers. */
  through: number | null;
}

/** What to count. */
export interface CountRequest {
  text?: string;
  messages?: Message[];
  tools?: object[];
}

/** Whether something fits into a budget; the count is there if it does. */
export type FitsResult = { fits: true; tokens: number } | { fits: false };
