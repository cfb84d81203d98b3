import { readFile } from "node:fs/promises";
import type { TokenCounter } from "../counter.js";
import type { Vocabulary } from "../vocab/file.js";
import { counterWith, initSync } from "./counter.js";

export type { TokenCounter } from "../counter.js";
export type { ErrorCode } from "../errors.js";
export { SiltstoneError } from "../errors.js";
export type { FitsResult } from "../requests.js";
export type { Vocabulary, VocabularyFile } from "../vocab/file.js";

async function load(): Promise<void> {
  const bytes = await readFile(new URL("../wasm/tokens_bg.wasm", import.meta.url));
  initSync({ module: await WebAssembly.compile(bytes) });
}

/**
 * Loads a vocabulary, imported from `siltstone/vocab/…`, and gives a counter of texts; `"estimate"` needs
 * none. Only the small module that counts is loaded, not the memory.
 */
export function tokenCounter(vocabulary: Vocabulary | "estimate"): Promise<TokenCounter> {
  return counterWith(load, vocabulary);
}
