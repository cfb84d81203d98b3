import { bytesAt } from "../file.js";
import type { Vocabulary } from "./file.js";

/** The vocabulary of `o200k_base`, read from its file. */
const o200k: Vocabulary = {
  encoding: "o200k_base",
  // Found from `entries` as well, where the build puts a copy of this.
  load: () => bytesAt(new URL("../vocab/o200k_base.bin", import.meta.url)),
};

export default o200k;
