import type { Memory, MemoryPatch, NewMemory } from "./memory.js";
import type { Scope } from "./messages.js";
import type { AddResult, ListOptions, MemoryPage } from "./requests.js";

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
    return this.#send("list", { ...options });
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
  update(id: string, patch: MemoryPatch): Promise<Memory> {
    return this.#send("update", { id, patch });
  }

  /** Protects a memory and makes it part of every turn. */
  pin(id: string): Promise<Memory> {
    return this.#send("pin", { id });
  }

  /** Takes the protection away. */
  unpin(id: string): Promise<Memory> {
    return this.#send("unpin", { id });
  }

  /** Takes a memory out of every recall; with `hard`, the text of all its versions is deleted. */
  forget(id: string, options: { hard?: boolean } = {}): Promise<{ forgotten: number }> {
    return this.#send("forget", { ...options, id });
  }

  /** All versions of a memory, oldest first. */
  history(id: string): Promise<{ versions: Memory[] }> {
    return this.#send("history", { id });
  }

  #send<T>(method: string, request: object): Promise<T> {
    return this.#call(`memories.${method}`, { ...request, scope: this.#scope });
  }
}
