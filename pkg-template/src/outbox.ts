import type { Scope } from "./messages.js";

/** What is to be done outside the store. */
export type EffectKind =
  /** These memories are to be found in the vector store. */
  | { type: "vector_upsert"; memories: string[] }
  /** These memories are to leave the vector store. */
  | { type: "vector_delete"; memories: string[] }
  /** A memory, or talk to be judged there, is to be added to a memory service. */
  | ProviderKeep
  /** A memory is to be deleted from a memory service. */
  | { type: "provider_remove"; api: ProviderApi; cube: string; old: ProviderMemory };

/** An interface of a memory service. */
export type ProviderApi = "memos" | "memos_cloud" | "mem0" | "mem0_oss";

/** A memory of a memory service. */
export interface ProviderMemory {
  id: string;
  content: string;
}

/** Something to be added to a memory service. */
export interface ProviderKeep {
  type: "provider_keep";
  api: ProviderApi;
  agent?: string;
  session?: string;
  /** The memory that was judged; absent where the service judges. */
  candidate?: { content: string } & Record<string, unknown>;
  /** The talk that the service judges. */
  talk?: { role: string; content: string }[];
  tags?: string[];
  /** Memories that go once it is added. */
  olds?: ProviderMemory[];
  /** How far it is. */
  stage:
    | { at: "unchecked" }
    | { at: "ready" }
    | { at: "pending"; task: string }
    | { at: "deleting" };
  tasksFailed: number;
}

/** Something to be done outside the store, for one user. */
export interface Effect {
  /** The same for every attempt, so that a service can tell that it has done this already. */
  id: string;
  tenant: string;
  user: string;
  /** Effects of one lane of a user are done one after the other, in the order they were planned. */
  lane: string;
  kind: EffectKind;
  /** When it was planned, in milliseconds since the epoch. */
  plannedAt: number;
  /** Attempts that failed. */
  attempts: number;
  /** When it may be tried, in milliseconds since the epoch. */
  nextAt: number;
  /** Why the last attempt failed. */
  lastError?: string;
  /** Who is at it, until `nextAt`. */
  owner?: string;
}

/** An effect that was given up after `config.outbox.maxAttempts` attempts. */
export interface DeadLetter extends Effect {
  /** When it was given up, in milliseconds since the epoch. */
  diedAt: number;
}

/** How much one slice of replay does. */
export interface ReplayOptions {
  /** Attempts at most. 1 to 100,000; default: 100. */
  limit?: number;
  /** No attempt begins after this time, in milliseconds. 1 to a day; default: 20,000. */
  deadlineMs?: number;
}

/** What one slice of replay did. */
export interface ReplayReport {
  /** Effects that are done. */
  done: number;
  /** Attempts that failed and are made again later. */
  failed: number;
  /** Effects that became dead letters. */
  dead: number;
  /** Effects that this slice looked at and that are still to be done. */
  remaining: number;
  /** Whether nothing that is due is left. */
  isDone: boolean;
  /** When to call again, in ms since the epoch: at once unless `isDone`; `null`: nothing remains. */
  nextRunAt: number | null;
}

/** Which effects to read. */
export interface EffectsOptions {
  /** Only those of this user. Default: those of all tenants and users. */
  scope?: Scope;
  /** Effects at most. 1 to 1,000; default: 100. */
  limit?: number;
  /** Where the previous page ended. */
  cursor?: string;
}

/** One page of effects, the oldest of each user first. */
export interface EffectsPage<T = Effect> {
  effects: T[];
  /** Absent on the last page. */
  cursor?: string;
}

/** Which dead letters to take up again: all, those of a user, or one of a user. */
export interface RedriveOptions {
  scope?: Scope;
  /** The id of one; it needs `scope`. */
  id?: string;
}

/** How many dead letters were taken up again. */
export interface RedriveReport {
  redriven: number;
  /** Whether there are no more; otherwise call again. */
  isDone: boolean;
}

type Call = <T>(method: string, request: unknown) => Promise<T>;

/**
 * What is still to be done outside the store, of all users: for whoever runs the application, not
 * for its users.
 */
export class Outbox {
  readonly #call: Call;

  /** @internal */
  constructor(call: Call) {
    this.#call = call;
  }

  /** Reads what waits to be done. */
  list(options: EffectsOptions = {}): Promise<EffectsPage> {
    return this.#call("outbox.list", options);
  }

  /** Reads what was given up. */
  deadLetters(options: EffectsOptions = {}): Promise<EffectsPage<DeadLetter>> {
    return this.#call("outbox.deadLetters", options);
  }

  /** Takes dead letters up again; the next replay tries them. */
  redrive(options: RedriveOptions = {}): Promise<RedriveReport> {
    return this.#call("outbox.redrive", options);
  }

  /**
   * Gives an effect up for good, a dead letter or one that waits: what it would have done outside
   * is never done.
   */
  discard(scope: Scope, id: string): Promise<{ discarded: Effect }> {
    return this.#call("outbox.discard", { scope, id });
  }
}
