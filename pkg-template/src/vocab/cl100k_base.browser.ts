import { fetchVocabulary, type Vocabulary } from "../vocabularies.js";

/** The vocabulary of `cl100k_base`, fetched from its file. */
const cl100k: Vocabulary = {
  encoding: "cl100k_base",
  // Bundlers find the file by this very form, copy it and rewrite the URL.
  load: () => fetchVocabulary(new URL("./cl100k_base.bin", import.meta.url)),
};

export default cl100k;
