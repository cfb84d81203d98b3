import { bytesAt } from "../file.js";
import type { Vocabulary } from "./file.js";

/** The vocabulary of `cl100k_base`, read from its file. */
const cl100k: Vocabulary = {
  encoding: "cl100k_base",
  load: () => bytesAt(new URL("../vocab/cl100k_base.bin", import.meta.url)),
};

export default cl100k;
