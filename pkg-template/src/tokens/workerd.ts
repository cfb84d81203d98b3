import type { TokenCounter } from "../counter.js";
import type { Vocabulary } from "../vocab/file.js";
// workerd compiles modules at deployment only.
import module from "../wasm/tokens_bg.wasm";
import { counterWith, initSync } from "./counter.js";

export type { TokenCounter } from "../counter.js";
export type { ErrorCode } from "../errors.js";
export { SiltstoneError } from "../errors.js";
export type { FitsResult } from "../requests.js";
export type { Vocabulary, VocabularyFile } from "../vocab/file.js";

function load(): void {
  initSync({ module });
}

/**
 * Loads a vocabulary, imported from `siltstone/vocab/…`, and gives a counter of texts; `"estimate"` needs
 * none. Only the small module that counts is loaded, not the memory.
 */
export function tokenCounter(vocabulary: Vocabulary | "estimate"): Promise<TokenCounter> {
  return counterWith(load, vocabulary);
}
