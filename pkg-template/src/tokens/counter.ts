import { checkText, isWellFormed } from "../check.js";
import { counterOf, MAX_COUNT } from "../counter.js";
import { type ErrorCode, SiltstoneError } from "../errors.js";
import { bytesOf, type Vocabulary } from "../vocab/file.js";
import { count, estimate, failure, type InitOutput, install } from "../wasm/tokens.js";
import type { MakeCounter } from "./make.js";

export { default as load, initSync } from "../wasm/tokens.js";

/** UTF-16 units of a text that is written to a place of its own, which the module keeps. */
const SHORT = 65_536;
/** Texts that are counted at once. */
const MANY = 4_096;

let loading: Promise<InitOutput> | undefined;
// What is installed stays, so no file is read twice.
const installing = new Map<string, Promise<number>>();

/** Makes counters, once `load` has loaded the module; that is done once. */
export function counterFrom(load: () => Promise<InitOutput> | InitOutput): MakeCounter {
  return async function tokenCounter(vocabulary) {
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
    const module = await loading;
    if (vocabulary === "estimate") {
      return counterOf((text, limit, path) => {
        checkText(text, path);
        return upTo(limit, estimate(text));
      });
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
    const exact = new Exact(module, await installed);
    const counter = counterOf(
      (text, limit, path) => exact.within(text, limit, path),
      (texts) => exact.each(texts),
    );
    // Until a runtime has compiled it, every function between a short text and the module costs about as
    // much as to count it.
    const count = (text: string) =>
      typeof text === "string" && text.length <= SHORT ? exact.short(text) : counter.count(text);
    return { ...counter, count };
  };
}

/** Counts with a vocabulary. */
class Exact {
  readonly #module: InitOutput;
  readonly #encoding: number;
  readonly #encoder = new TextEncoder();
  #place = new Uint8Array(0);
  #sizes = new Uint32Array(0);

  constructor(module: InitOutput, encoding: number) {
    this.#module = module;
    this.#encoding = encoding;
  }

  within(text: string, limit: number, path: string): number | undefined {
    if (text.length <= SHORT) {
      return upTo(limit, this.short(text, limit, path));
    }
    checkText(text, path);
    return count(this.#encoding, text, limit);
  }

  /** Tokens of a short text, or more than `limit`. */
  short(text: string, limit = MAX_COUNT, path = "text"): number {
    if (this.#place.length === 0) {
      this.#takePlaces();
    }
    const { written } = this.#encoder.encodeInto(text, this.#place);
    // ASCII takes a byte for each unit, and has no halves of surrogate pairs.
    if (written !== text.length) {
      checkText(text, path);
    }
    return this.#module.countShort(this.#encoding, written, limit);
  }

  each(texts: readonly string[]): Uint32Array {
    const counts = new Uint32Array(texts.length);
    let start = 0;
    while (start < texts.length) {
      const end = endOfBatch(texts, start);
      if (end > start) {
        this.#count(texts, start, end, counts);
        start = end;
      } else {
        counts[start] = this.within(texts[start] ?? "", MAX_COUNT, `texts[${start}]`) ?? MAX_COUNT;
        start += 1;
      }
    }
    return counts;
  }

  #count(texts: readonly string[], start: number, end: number, counts: Uint32Array): void {
    const some = texts.slice(start, end);
    const text = some.join("");
    this.#takePlaces();
    const { written } = this.#encoder.encodeInto(text, this.#place);
    const isAscii = written === text.length;
    for (let at = 0; at < some.length; at += 1) {
      const one = some[at] ?? "";
      if (!(isAscii || isWellFormed(one))) {
        checkText(one, `texts[${start + at}]`);
      }
      this.#sizes[at] = one.length;
    }
    this.#module.countBatch(this.#encoding, written, some.length);
    this.#takePlaces();
    counts.set(this.#sizes.subarray(0, some.length), start);
  }

  #takePlaces(): void {
    // When the memory grows, views of it end.
    if (this.#place.length > 0) {
      return;
    }
    const [place, sizes] = [this.#module.room(), this.#module.roomForSizes()];
    this.#place = new Uint8Array(this.#module.memory.buffer, place, SHORT * 3);
    this.#sizes = new Uint32Array(this.#module.memory.buffer, sizes, MANY);
  }
}

/** Up to where the texts from `start` on are counted at once; `start` itself if that is too long. */
function endOfBatch(texts: readonly string[], start: number): number {
  let end = start;
  let units = 0;
  while (end < texts.length && end - start < MANY) {
    units += texts[end]?.length ?? 0;
    if (units > SHORT) {
      break;
    }
    end += 1;
  }
  return end;
}

async function once(load: () => Promise<InitOutput> | InitOutput): Promise<InitOutput> {
  try {
    return await load();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `the WebAssembly module could not be loaded: ${reason}`;
    throw new SiltstoneError("not_initialized", message, { cause });
  }
}

async function installedFrom(vocabulary: Vocabulary): Promise<number> {
  const { encoding } = vocabulary;
  const number = install(encoding, await bytesOf(vocabulary));
  if (number < 0) {
    const [code, reason, message] = failure().split("\n") as [ErrorCode, string, string];
    throw new SiltstoneError(code, message, {
      details: reason === "" ? {} : { encoding, reason },
    });
  }
  return number;
}

function upTo(limit: number, tokens: number): number | undefined {
  return tokens <= limit ? tokens : undefined;
}
