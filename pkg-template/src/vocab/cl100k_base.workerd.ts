// Deployed with the Worker as a data module.
import file from "./cl100k_base.bin";
import type { Vocabulary } from "./file.js";

/** The vocabulary of `cl100k_base`, a module of the Worker. */
const cl100k: Vocabulary = { encoding: "cl100k_base", load: () => file };

export default cl100k;
