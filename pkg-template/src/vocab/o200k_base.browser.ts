import { fetchVocabulary, type Vocabulary } from "../vocabularies.js";

/** The vocabulary of `o200k_base`, fetched from its file. */
const o200k: Vocabulary = {
  encoding: "o200k_base",
  // Bundlers find the file by this very form, copy it and rewrite the URL.
  load: () => fetchVocabulary(new URL("./o200k_base.bin", import.meta.url)),
};

export default o200k;
