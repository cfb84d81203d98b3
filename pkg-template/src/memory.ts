/** What a memory is about. */
export type Category =
  | "profile"
  | "auth"
  | "social"
  | "project"
  | "preference"
  | "task"
  | "note"
  | "idea"
  | "event"
  | "document"
  | "code"
  | "other";

/** Who shares a memory: all agents of the user, or one agent. */
export type MemoryScope = "user" | "agent";

/** The form of a memory's content, a dimension apart from its scope. */
export type MemoryKind = "text" | "pref" | "skill" | "tool";

/** A lasting memory. */
export interface Memory {
  /** Unique within the user; ordered by time. */
  id: string;
  /** The text. */
  content: string;
  /** When it was stored, in milliseconds since the epoch. */
  createdAt: number;
  /** When it was last recalled or confirmed, in milliseconds since the epoch. */
  lastAccessAt: number;
  /** How often it was recalled or confirmed. */
  accessCount: number;
  /** When what it tells was said, in milliseconds since the epoch. */
  observedAt: number;
  /** The weight at last access. */
  weight: number;
  /** From 1 (a greeting) to 10 (an explicit instruction). */
  importance: number;
  /** What it is about. */
  category: Category;
  /** The form of its content. */
  kind: MemoryKind;
  /** Who shares it. */
  scope: MemoryScope;
  /** The agent whose experience it is, where `scope` is `"agent"`. */
  agentId?: string;
  /** How far it has settled. */
  tier: "short" | "long";
  /** Whether it takes part in ordinary recall (`"hot"`) or is archived. */
  temperature: "hot" | "cold";
  /** Free labels. */
  tags: string[];
  /** Where it came from. */
  source: "chat" | "tool" | "external";
  /** 1, and one more at every update. */
  version: number;
  /** The version that this one replaced. */
  previousId?: string;
  /** The version that replaced this one. */
  nextId?: string;
  /** Memories that overlap with it. */
  relatedIds: string[];
  /** Memories that contradict it. */
  conflictIds: string[];
  /** False once it was superseded or forgotten. */
  isValid: boolean;
  /** When it was forgotten softly, in milliseconds since the epoch. */
  forgottenAt?: number;
  /** Protected by the user. */
  isPinned: boolean;
  /** The session it was learnt in. */
  sessionId?: string;
  /** The messages it came from. */
  messageIds: string[];
  /** The number of the first of these messages in its session. */
  position?: number;
  /** Facts by key, such as `profile.location.city`. */
  facts?: Record<string, string>;
  /**
   * Words of the messages it came from and of those around, by which it is found too; they are never
   * shown to a model.
   */
  cues?: string;
  /** Left out of turns that filter sensitive memories. */
  isSensitive: boolean;
  /** When it stops being true, in milliseconds since the epoch. */
  expiresAt?: number;
  /** Why somebody should look at it: its text tries to give orders to whoever reads it. */
  suspicion?:
    | "override"
    | "role_marker"
    | "prompt_leak"
    | "concealment"
    | "exfiltration"
    | "hidden_text";
  /** Kept out of recall until `allow(id)`. */
  isHeld?: boolean;
}

/** A memory that is added by hand. */
export interface NewMemory {
  /** The text, of at most 8,000 characters. */
  content: string;
  /** What it is about. Default: `"note"`. */
  category?: Category;
  /** The form of its content. Default: `"text"`. */
  kind?: MemoryKind;
  /** Who shares it; `"agent"` needs an agent in the scope. Default: `"user"`. */
  scope?: MemoryScope;
  /** From 1 to 10. Default: 5. */
  importance?: number;
  /** Free labels. */
  tags?: string[];
  /** Where it came from. Default: `"external"`. */
  source?: Memory["source"];
  /** Facts by key, such as `profile.location.city`. */
  facts?: Record<string, string>;
  /** Left out of turns that filter sensitive memories. Default: false. */
  isSensitive?: boolean;
  /** The messages it came from. */
  messageIds?: string[];
  /** When what it tells was said, in milliseconds since the epoch. Default: now. */
  observedAt?: number;
  /** When it stops being true, in milliseconds since the epoch. Default: never. */
  expiresAt?: number;
}

/** Fields of a memory to change; what is absent stays. */
export interface MemoryPatch {
  /** A text in place of the old one; makes a new version. */
  content?: string;
  /** A text to go behind the one that still holds; makes a new version. */
  add?: string;
  /** What it is about. */
  category?: Category;
  /** From 1 to 10. */
  importance?: number;
  /** Free labels. */
  tags?: string[];
  /** New facts make a new version. */
  facts?: Record<string, string>;
  /** Left out of turns that filter sensitive memories. */
  isSensitive?: boolean;
  /** When it stops being true, in milliseconds since the epoch; `null`: never. */
  expiresAt?: number | null;
}
