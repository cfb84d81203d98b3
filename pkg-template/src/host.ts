/** A stored record. */
export interface StoredValue {
  /** JSON text: control characters come escaped in it. */
  value: string;
  /** Opaque, and new for every write of the key: it never comes back, not even after a delete. */
  version: string;
}

/** A stored record with its key. */
export interface StoredEntry extends StoredValue {
  key: string;
}

/** Which keys to read. Keys are printable ASCII, at most 1,800 bytes, and compare by bytes. */
export interface StoreRange {
  /** The first key, inclusive. */
  start: string;
  /** The end, exclusive. */
  end: string;
  /** Entries at most. */
  limit: number;
  /** From the end backwards. */
  reverse: boolean;
}

/** A change of the store: all of it if every check holds, or nothing. */
export interface StoreBatch {
  /** The version that a key must have; `null`: the key must not exist. */
  checks: { key: string; version: string | null }[];
  puts: { key: string; value: string }[];
  deletes: string[];
}

/** The durable store: an ordered key–value store with atomic, conditional commits. */
export interface Store {
  /** Reads records: one answer for each key, in order; `null` for a key that does not exist. */
  get(keys: string[]): Promise<(StoredValue | null)[]>;
  /** Reads the entries of a range, in key order. */
  range(range: StoreRange): Promise<StoredEntry[]>;
  /** Writes all of a batch (`true`), or nothing because a check does not hold (`false`). */
  commit(batch: StoreBatch): Promise<boolean>;
}

/** The hot cache. It may fail, and lose anything at any time. */
export interface Cache {
  get(key: string): Promise<string | null>;
  /** Keeps a value for at most `ttlMs` milliseconds. */
  put(key: string, value: string, ttlMs: number): Promise<void>;
}

/** Something that happened and did not fail the call. */
export interface LogEvent {
  level: "info" | "warn" | "error";
  /** A stable name, such as `cache_failed`. */
  event: string;
  /** A sentence for people. */
  message: string;
  details?: unknown;
}

/** What the memory stands on. Only the store has to be there. */
export interface Host {
  store: Store;
  cache?: Cache;
  /** An agent's own configuration, as in `config.agents`; `null` where there is none. */
  agent?(tenant: string, agentId: string): Promise<unknown>;
  /** The time, in milliseconds since the epoch; `Date.now` without it. */
  now?(): number;
  /** `length` random bytes; `crypto.getRandomValues` without it. */
  random?(length: number): Uint8Array;
  /** Takes note of an event; without it, warnings and errors go to the console. */
  log?(event: LogEvent): void;
}

/** A question to the language model. */
export interface LlmRequest {
  /** What it is for: what to keep of a session, a summary of it, or a shorter memory. */
  purpose: "judge" | "summary" | "compress";
  messages: { role: "system" | "user" | "assistant"; content: string }[];
  /** Whether the answer must be JSON. */
  json: boolean;
  /** The JSON schema of the answer. */
  schema?: Record<string, unknown>;
  /** Tokens of the answer at most. */
  maxTokens: number;
  /** When the answer is of no more use, in milliseconds from the call; then `signal` aborts. */
  timeoutMs: number;
  /** Aborts at the deadline, and when the instance is closed. */
  signal: AbortSignal;
}

/** Asks a language model and gives the text of its answer. */
export type Llm = (request: LlmRequest) => Promise<string>;

/** What an embedding may cost. */
export interface EmbedOptions {
  /** When the vectors are of no more use, in milliseconds from the call; then `signal` aborts. */
  timeoutMs: number;
  /** Aborts at the deadline, and when the instance is closed. */
  signal: AbortSignal;
}

/** Gives one vector for each text, in order, all of the same length. */
export type Embed = (
  texts: string[],
  options: EmbedOptions,
) => Promise<readonly (readonly number[] | Float32Array)[]>;

/** One vector of a vector store: that of one memory. */
export interface VectorItem {
  /** A UUID that is the same for the same memory, and no other's anywhere. */
  id: string;
  /** Whose it is: 32 hexadecimal digits, one for each tenant and user. */
  namespace: string;
  /** `user_profile`, or `agent_` and the agent's id. */
  cube: string;
  vector: Float32Array;
}

/** A question to a vector store. */
export interface VectorQuery {
  /** Only vectors of this namespace may answer. */
  namespace: string;
  /** Only vectors of these cubes may answer. */
  cubes: string[];
  vector: Float32Array;
  /** Answers at most. */
  topK: number;
}

/** What a call of a vector store may cost. */
export interface VectorOptions {
  /** When the answer is of no more use, in milliseconds from the call; then `signal` aborts. */
  timeoutMs: number;
  /** Aborts at the deadline, and when the instance is closed. */
  signal: AbortSignal;
}

/**
 * A vector store, for memories that outgrow one machine. It only compares: what is remembered,
 * replaced or forgotten is decided in the core, which tells it so through its outbox.
 */
export interface VectorStore {
  /** Writes vectors; one of the same id is replaced. */
  upsert(items: VectorItem[], options: VectorOptions): Promise<void>;
  /** The nearest vectors, best first; `score` is the cosine similarity. */
  query(query: VectorQuery, options: VectorOptions): Promise<{ id: string; score: number }[]>;
  /** Deletes vectors of a namespace; an id that is not there is no fault. */
  delete(namespace: string, ids: string[], options: VectorOptions): Promise<void>;
}

/** An HTTP request that the core wants made of an external memory service. */
export interface ProviderRequest {
  provider: "memos" | "mem0";
  /** What it is for. */
  operation: "search" | "add" | "get" | "delete" | "status";
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the service's address, with the query string: `/search`. */
  path: string;
  /** The body, to be sent as JSON. */
  body?: Record<string, unknown>;
  /** Whether doing it twice does no harm, so that it may be tried again. */
  isIdempotent: boolean;
  /** The same for every attempt at the same effect: to be sent as `Idempotency-Key`. */
  idempotencyKey?: string;
  /** When the answer is of no more use, in milliseconds from the call; then `signal` aborts. */
  timeoutMs: number;
  /** Aborts at the deadline, and when the instance is closed. */
  signal: AbortSignal;
}

/** What a memory service answered, whatever the status. */
export interface ProviderAnswer {
  status: number;
  /** The body, read as JSON; as text where it is none; `null` where there is none. */
  body: unknown;
}

/** Carries requests to a memory service; fails when there is no answer. */
export type ProviderTransport = (request: ProviderRequest) => Promise<ProviderAnswer>;

/** Memory services by name, for agents whose configuration names one. */
export interface Providers {
  memos?: ProviderTransport;
  mem0?: ProviderTransport;
}

/** Counts the tokens of a text, without framing: a whole number, not below zero. */
export interface Counter {
  (text: string): number;
  /**
   * A name of at most 40 characters for this very way of counting. With one, a message's count is
   * kept with the message, so that it is counted once; change the name when the counts change.
   */
  readonly id?: string;
}
