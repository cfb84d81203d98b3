import { readFile } from "node:fs/promises";
import type { Vocabulary } from "./file.js";

/** The vocabulary of `o200k_base`, read from its file. */
const o200k: Vocabulary = {
  encoding: "o200k_base",
  load: () => readFile(new URL("./o200k_base.bin", import.meta.url)),
};

export default o200k;
