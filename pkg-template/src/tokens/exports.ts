// What every entry of `siltstone/tokens` exports beside `tokenCounter`.

export type { TokenCounter } from "../counter.js";
export type { ErrorCode } from "../errors.js";
export { SiltstoneError } from "../errors.js";
export type { FitsResult } from "../requests.js";
export type { Vocabulary, VocabularyFile } from "../vocab/file.js";
