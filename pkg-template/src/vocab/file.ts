import { SiltstoneError } from "../errors.js";

/** The vocabulary of an encoding: what exact counting needs beside the core. */
export interface Vocabulary {
  /** The encoding's name in `config.tokens.encoding`. */
  readonly encoding: "o200k_base" | "cl100k_base";
  /** Gives the bytes of the vocabulary file; called at the first count that needs them. */
  load(): VocabularyFile | Promise<VocabularyFile>;
}

/** The bytes of a vocabulary file. */
export type VocabularyFile = ArrayBuffer | Uint8Array;

/** Loads the bytes of a vocabulary's file. */
export async function bytesOf({ encoding, load }: Vocabulary): Promise<Uint8Array> {
  let file: VocabularyFile;
  try {
    file = await load();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SiltstoneError(
      "vocabulary_failed",
      `the vocabulary of \`${encoding}\` could not be loaded: ${reason}`,
      { cause, details: { encoding, reason: "load" } },
    );
  }
  if (!(file instanceof ArrayBuffer || file instanceof Uint8Array)) {
    throw new SiltstoneError(
      "vocabulary_failed",
      `the vocabulary of \`${encoding}\` must load as an ArrayBuffer or a Uint8Array`,
      { details: { encoding, reason: "foreign" } },
    );
  }
  return file instanceof ArrayBuffer ? new Uint8Array(file) : file;
}
