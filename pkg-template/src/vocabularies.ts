import { fromCore, SiltstoneError } from "./errors.js";
import { bytesOf, type Vocabulary } from "./vocab/file.js";
import { installVocabulary } from "./wasm/core.js";

export type { Vocabulary, VocabularyFile } from "./vocab/file.js";

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

async function install(vocabulary: Vocabulary): Promise<void> {
  const file = await bytesOf(vocabulary);
  try {
    installVocabulary(vocabulary.encoding, file);
  } catch (error) {
    throw fromCore(error);
  }
}
