import type { TokenCounter } from "../counter.js";
import type { Vocabulary } from "../vocab/file.js";

// Apart from what makes them: its types need those of a page.
/**
 * Loads a vocabulary, imported from `siltstone/vocab/…`, and gives a counter of texts; `"estimate"` needs
 * none. Only the small module that counts is loaded, not the memory.
 */
export type MakeCounter = (vocabulary: Vocabulary | "estimate") => Promise<TokenCounter>;
