import type { Core } from "./wasm/core.js";

/**
 * What an instance asks of the core.
 *
 * @internal
 */
export type CoreCalls = Pick<
  Core,
  "vocabulary" | "missingVocabulary" | "missingRest" | "countText" | "call" | "free"
>;

/**
 * What a core is made of.
 *
 * @internal
 */
export interface CoreParts {
  /** The functions through which the core reaches the outside. */
  callbacks: object;
  config: unknown;
  make(callbacks: object): CoreCalls;
}

/** Follows one instance from its start; `record` of `siltstone/trace` makes one. */
export interface Tracer {
  /** Whether an instance has it already: each needs one of its own. */
  readonly isUsed: boolean;
  /**
   * Gives the core that the instance is to use.
   *
   * @internal
   */
  open(parts: CoreParts): CoreCalls;
}
