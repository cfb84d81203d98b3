import { readFile } from "node:fs/promises";
import type { Vocabulary } from "./file.js";

/** The vocabulary of `cl100k_base`, read from its file. */
const cl100k: Vocabulary = {
  encoding: "cl100k_base",
  load: () => readFile(new URL("./cl100k_base.bin", import.meta.url)),
};

export default cl100k;
