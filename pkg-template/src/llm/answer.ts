import { SiltstoneError } from "../errors.js";

/** How a language model's answer came out. */
export interface Answer {
  text: string;
  /** Cut at the token limit. */
  isTruncated: boolean;
  /** Why the model refused, when it did. */
  refusal?: string | undefined;
}

/** Why a language model gave nothing usable, as `details.reason` of the error. */
export type FailureReason =
  | "network"
  | "status"
  | "malformed"
  | "too_large"
  | "timeout"
  | "refused"
  | "truncated"
  | "empty"
  | "unavailable"
  | "not_downloaded"
  | "quota";

/** The text of a complete answer. */
export function complete({ text, isTruncated, refusal }: Answer, json: boolean): string {
  if (refusal !== undefined) {
    throw failure("refused", `the language model refused: ${refusal}`);
  }
  // The core mends JSON that breaks off and keeps what is whole; a text that breaks off is lost.
  if (isTruncated && !(json && text !== "")) {
    throw failure("truncated", "the language model's answer was cut at its token limit");
  }
  if (text.trim() === "") {
    throw failure("empty", "the language model answered nothing");
  }
  return text;
}

/** An error of a language model or an embedder. */
export function failure(
  reason: FailureReason,
  message: string,
  options: { cause?: unknown } = {},
): SiltstoneError {
  return new SiltstoneError("llm_failed", message, { ...options, details: { reason } });
}

/** Whether a server refused what was asked, such as a field that it does not know. */
export function isRefused(error: unknown): error is SiltstoneError {
  const status = error instanceof SiltstoneError ? error.details?.status : undefined;
  return status === 400 || status === 422;
}

/**
 * Asks in the best of several ways that a server does not refuse, and remembers it: the others are
 * not tried again.
 */
export class Ways<T> {
  #ways: readonly T[];

  constructor(...ways: T[]) {
    this.#ways = ways;
  }

  async ask<A>(work: (way: T) => Promise<A>, isUsable: (way: T) => boolean = () => true) {
    const ways = this.#ways.filter(isUsable);
    for (const [index, way] of ways.entries()) {
      try {
        const answer = await work(way);
        this.#ways = this.#ways.filter((other) => !ways.slice(0, index).includes(other));
        return answer;
      } catch (error) {
        if (!isRefused(error) || index === ways.length - 1) {
          throw error;
        }
      }
    }
    throw failure("unavailable", "the language model cannot be asked this way");
  }
}
