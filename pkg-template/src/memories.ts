import { joined } from "./check.js";
import type { Memory, MemoryPatch, NewMemory } from "./memory.js";
import type { Scope } from "./messages.js";
import type {
  AddResult,
  AlteredMemory,
  Keep,
  ListOptions,
  MemoryPage,
  MemoryStats,
  PinCandidate,
  PinCandidatesOptions,
  Question,
  UpdateOptions,
} from "./requests.js";

type Call = <T>(method: string, request: unknown) => Promise<T>;

/**
 * The long-term memories that a scope sees: with an agent, the user's and that agent's; without
 * one, all of the user's.
 */
export class Memories {
  readonly #scope: Scope;
  readonly #call: Call;

  /** @internal */
  constructor(scope: Scope, call: Call) {
    this.#scope = scope;
    this.#call = call;
  }

  /** Lists memories, page by page. */
  list(options: ListOptions = {}): Promise<MemoryPage> {
    return this.#send("list", {}, options);
  }

  /** Reads one memory, also one that was superseded or forgotten softly. */
  get(id: string): Promise<Memory> {
    return this.#send("get", { id });
  }

  /** Adds a memory, unless one that says the same is there. */
  add(memory: NewMemory): Promise<AddResult> {
    return this.#send("add", { memory });
  }

  /** Changes a memory; a new text makes a new version, and the old one stays in its history. */
  update(id: string, patch: MemoryPatch, options: UpdateOptions = {}): Promise<Memory> {
    return this.#send("update", { id, patch }, options);
  }

  /**
   * Makes a new version with the content of an older one.
   *
   * @param to - The id of the older version.
   */
  revert(id: string, to: string): Promise<Memory> {
    return this.#send("revert", { id, to });
  }

  /**
   * Protects a memory and makes it part of every turn. Beyond `config.life.maxPinned`, those that
   * are worth least lose their pin; the answer names them, and may be one of them.
   */
  pin(id: string): Promise<AlteredMemory> {
    return this.#send("pin", { id });
  }

  /** Takes the protection away. */
  unpin(id: string): Promise<AlteredMemory> {
    return this.#send("unpin", { id });
  }

  /** Takes a memory out of every recall; with `hard`, the text of all its versions is deleted. */
  forget(id: string, options: { hard?: boolean } = {}): Promise<{ forgotten: number }> {
    return this.#send("forget", { id }, options);
  }

  /** Takes back that a memory was forgotten softly; `conflict` where another one says it by now. */
  restore(id: string): Promise<AlteredMemory> {
    return this.#send("restore", { id });
  }

  /**
   * Lets a memory that is held for its `suspicion` take part like any other; `conflict` where one that
   * takes part says it already.
   */
  allow(id: string): Promise<AlteredMemory> {
    return this.#send("allow", { id });
  }

  /** All versions of a memory, oldest first. */
  history(id: string): Promise<{ versions: Memory[] }> {
    return this.#send("history", { id });
  }

  /** Memories without a pin that are worth one, best first. */
  pinCandidates(options: PinCandidatesOptions = {}): Promise<{ candidates: PinCandidate[] }> {
    return this.#send("pinCandidates", {}, options);
  }

  /** How many memories there are of each sort. */
  stats(): Promise<MemoryStats> {
    return this.#send("stats", {});
  }

  /** Contradictions that only the person can settle; ask when it fits the conversation. */
  questions(): Promise<{ questions: Question[] }> {
    return this.#send("questions", {});
  }

  /**
   * Settles a contradiction as the person answered.
   *
   * @param id - The id of the question.
   */
  answer(id: string, keep: Keep): Promise<{ memories: Memory[] }> {
    return this.#send("answer", { id, keep });
  }

  async #send<T>(method: string, request: object, options: object = {}): Promise<T> {
    const fields = { ...request, scope: this.#scope };
    return this.#call(`memories.${method}`, joined(options, fields));
  }
}
