import { installed } from "../vite.js";
import type { Vocabulary } from "../vocabularies.js";
import { fetchVocabulary } from "./fetch.js";

// Bundlers find the file by this very form, copy it and rewrite the URL.
const url = new URL("./o200k_base.bin", import.meta.url);

/** The vocabulary of `o200k_base`, fetched from its file. */
const o200k: Vocabulary = {
  encoding: "o200k_base",
  load: () => fetchVocabulary(installed(url, "vocab/o200k_base.bin")),
};

export default o200k;
