import type { Vocabulary } from "./file.js";
// Deployed with the Worker as a data module.
import file from "./o200k_base.bin";

/** The vocabulary of `o200k_base`, a module of the Worker. */
const o200k: Vocabulary = { encoding: "o200k_base", load: () => file };

export default o200k;
