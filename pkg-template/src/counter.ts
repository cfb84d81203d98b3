import { SiltstoneError } from "./errors.js";
import type { FitsResult } from "./requests.js";

/** Counts beyond this are not told apart. */
export const MAX_COUNT = 2 ** 28;

/** Counts texts without a promise. */
export interface TokenCounter {
  /** Tokens of a text; special tokens in it count as plain text. */
  count(text: string): number;
  /** Whether a text has at most `budget` tokens; it is not counted further than that needs. */
  fits(text: string, budget: number): FitsResult;
}

/** A counter over what checks a text and gives its tokens if they are at most `limit`. */
export function counterOf(
  within: (text: string, limit: number) => number | undefined,
): TokenCounter {
  return {
    count(text) {
      check(text);
      return within(text, MAX_COUNT) ?? MAX_COUNT;
    },
    fits(text, budget) {
      check(text);
      if (!Number.isInteger(budget) || budget < 0) {
        throw unexpected("budget", "a whole number that is not negative", budget);
      }
      const tokens = within(text, Math.min(budget, MAX_COUNT));
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
