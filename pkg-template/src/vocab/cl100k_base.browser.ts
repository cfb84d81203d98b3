import { installed } from "../vite.js";
import type { Vocabulary } from "../vocabularies.js";
import { fetchVocabulary } from "./fetch.js";

// Bundlers find the file by this very form, copy it and rewrite the URL.
const url = new URL("./cl100k_base.bin", import.meta.url);

/** The vocabulary of `cl100k_base`, fetched from its file. */
const cl100k: Vocabulary = {
  encoding: "cl100k_base",
  load: () => fetchVocabulary(installed(url, "vocab/cl100k_base.bin")),
};

export default cl100k;
