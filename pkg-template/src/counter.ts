import { SiltstoneError } from "./errors.js";
import type { FitsResult } from "./requests.js";

/** Counts beyond this are not told apart. */
export const MAX_COUNT = 2 ** 28;

/** Counts texts without a promise. */
export interface TokenCounter {
  /** Tokens of a text; special tokens in it count as plain text. */
  count(text: string): number;
  /** Tokens of each of these texts; `siltstone/tokens` counts them at once, which takes less for many short ones. */
  countBatch(texts: readonly string[]): Uint32Array;
  /** Whether a text has at most `budget` tokens; it is not counted further than that needs. */
  fits(text: string, budget: number): FitsResult;
}

/** Gives the tokens of a text if they are at most `limit`; `path` is where it stands in what is asked. */
export type CountWithin = (text: string, limit: number, path: string) => number | undefined;

/** A counter over what checks a text and counts it and, where there is a better way, many. */
export function counterOf(
  within: CountWithin,
  each: TokenCounter["countBatch"] = (texts) =>
    Uint32Array.from(texts, (text, at) => within(text, MAX_COUNT, `texts[${at}]`) ?? MAX_COUNT),
): TokenCounter {
  return {
    count(text) {
      check(text);
      return within(text, MAX_COUNT, "text") ?? MAX_COUNT;
    },
    countBatch(texts) {
      if (!Array.isArray(texts)) {
        throw unexpected("texts", "an array of strings", texts);
      }
      const own: readonly unknown[] = [...texts];
      const at = own.findIndex((text) => typeof text !== "string");
      if (at >= 0) {
        throw unexpected(`texts[${at}]`, "a string", own[at]);
      }
      return each(own as readonly string[]);
    },
    fits(text, budget) {
      check(text);
      if (!Number.isInteger(budget) || budget < 0) {
        throw unexpected("budget", "a whole number that is not negative", budget);
      }
      const tokens = within(text, Math.min(budget, MAX_COUNT), "text");
      return tokens === undefined ? { fits: false } : { fits: true, tokens };
    },
  };
}

function check(text: unknown): asserts text is string {
  if (typeof text !== "string") {
    throw unexpected("text", "a string", text);
  }
}

function unexpected(path: string, expected: string, value: unknown): SiltstoneError {
  const found = typeof value === "number" ? String(value) : typeof value;
  const message = `${path}: expected ${expected}, got ${found}`;
  return new SiltstoneError("invalid_input", message, { path, details: { expected, found } });
}
