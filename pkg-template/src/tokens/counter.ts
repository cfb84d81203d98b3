import { counterOf, type TokenCounter } from "../counter.js";
import { fromCore, SiltstoneError } from "../errors.js";
import { bytesOf, type Vocabulary } from "../vocab/file.js";
import { count, estimate, install } from "../wasm/tokens.js";

export { default as load, initSync } from "../wasm/tokens.js";

let loading: Promise<void> | undefined;
// What is installed stays, so no file is read twice.
const installing = new Map<string, Promise<number>>();

/** A counter of texts, once `load` has loaded the module; that is done once. */
export async function counterWith(
  load: () => Promise<unknown> | unknown,
  vocabulary: Vocabulary | "estimate",
): Promise<TokenCounter> {
  if (vocabulary !== "estimate" && typeof vocabulary?.load !== "function") {
    const expected = 'a vocabulary, or "estimate"';
    const path = "vocabulary";
    const message = `${path}: expected ${expected}`;
    throw new SiltstoneError("invalid_input", message, { path, details: { expected } });
  }
  loading ??= once(load).catch((error) => {
    loading = undefined;
    throw error;
  });
  await loading;
  if (vocabulary === "estimate") {
    return counterOf((text, limit) => upTo(limit, estimate(text)));
  }
  const { encoding } = vocabulary;
  let installed = installing.get(encoding);
  if (installed === undefined) {
    installed = installedFrom(vocabulary).catch((error: unknown) => {
      installing.delete(encoding);
      throw error;
    });
    installing.set(encoding, installed);
  }
  const number = await installed;
  return counterOf((text, limit) => count(number, text, limit));
}

async function once(load: () => Promise<unknown> | unknown): Promise<void> {
  try {
    await load();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `the WebAssembly module could not be loaded: ${reason}`;
    throw new SiltstoneError("not_initialized", message, { cause });
  }
}

async function installedFrom(vocabulary: Vocabulary): Promise<number> {
  const file = await bytesOf(vocabulary);
  try {
    return install(vocabulary.encoding, file);
  } catch (error) {
    throw fromCore(error);
  }
}

function upTo(limit: number, tokens: number): number | undefined {
  return tokens <= limit ? tokens : undefined;
}
