import type { TokenCounter } from "../counter.js";
import { installed } from "../vite.js";
import type { Vocabulary } from "../vocab/file.js";
import { counterWith, load as loadFrom } from "./counter.js";

export type { TokenCounter } from "../counter.js";
export type { ErrorCode } from "../errors.js";
export { SiltstoneError } from "../errors.js";
export type { FitsResult } from "../requests.js";
export type { Vocabulary, VocabularyFile } from "../vocab/file.js";

function load(): Promise<unknown> {
  // Bundlers find the file by this very form, copy it and rewrite the URL.
  const url = new URL("../wasm/tokens_bg.wasm", import.meta.url);
  return loadFrom({ module_or_path: installed(url, "wasm/tokens_bg.wasm") });
}

/**
 * Loads a vocabulary, imported from `siltstone/vocab/…`, and gives a counter of texts; `"estimate"` needs
 * none. Only the small module that counts is loaded, not the memory.
 */
export function tokenCounter(vocabulary: Vocabulary | "estimate"): Promise<TokenCounter> {
  return counterWith(load, vocabulary);
}
