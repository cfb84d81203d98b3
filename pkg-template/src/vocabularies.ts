import { fromCore, SiltstoneError } from "./errors.js";
import { installVocabulary } from "./wasm/core.js";

/** The vocabulary of an encoding: what exact counting needs beside the core. */
export interface Vocabulary {
  /** The encoding's name in `config.tokens.encoding`. */
  readonly encoding: "o200k_base" | "cl100k_base";
  /** Gives the bytes of the vocabulary file; called at the first count that needs them. */
  load(): VocabularyFile | Promise<VocabularyFile>;
}

/** The bytes of a vocabulary file. */
export type VocabularyFile = ArrayBuffer | Uint8Array;

const entryVocabularies = new Map<string, Vocabulary>();
// The core keeps what is installed for all instances, so no file is read twice.
const installing = new Map<string, Promise<void>>();

/** Makes a vocabulary available to every instance; nothing is loaded yet. */
export function useVocabulary(vocabulary: Vocabulary): void {
  entryVocabularies.set(vocabulary.encoding, vocabulary);
}

/** The vocabularies that one instance may load. */
export class Vocabularies {
  readonly #own: readonly Vocabulary[];

  constructor(own: readonly Vocabulary[] = []) {
    this.#own = own;
  }

  /** @throws {@link SiltstoneError} `vocabulary_missing` if there is none of this encoding. */
  require(encoding: string): Vocabulary {
    const found =
      this.#own.find((vocabulary) => vocabulary.encoding === encoding) ??
      entryVocabularies.get(encoding);
    if (found === undefined) {
      throw new SiltstoneError(
        "vocabulary_missing",
        `the vocabulary of \`${encoding}\` is not there: import it from "siltstone/vocab/${encoding}" and pass it to \`Siltstone.create\` as \`vocabularies\`, or set config.tokens.encoding to "estimate"`,
        { path: "config.tokens.encoding", details: { encoding } },
      );
    }
    return found;
  }

  /** Loads and installs a vocabulary, once for all instances. After a failure the next call tries again. */
  install(encoding: string): Promise<void> {
    let installed = installing.get(encoding);
    if (installed === undefined) {
      installed = install(this.require(encoding)).catch((error: unknown) => {
        installing.delete(encoding);
        throw error;
      });
      installing.set(encoding, installed);
    }
    return installed;
  }
}

async function install({ encoding, load }: Vocabulary): Promise<void> {
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
  try {
    installVocabulary(encoding, file instanceof ArrayBuffer ? new Uint8Array(file) : file);
  } catch (error) {
    throw fromCore(error);
  }
}
