import { SiltstoneError } from "../errors.js";
import type { StoreBatch } from "../host.js";

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A store that this version of the package may not touch, because a newer one made it. */
export function madeByNewer(what: string, found: number, known: number): SiltstoneError {
  return new SiltstoneError(
    "store_failed",
    `${what} has schema ${found}, made by a newer version of siltstone; this version knows ${known}. Update siltstone everywhere that uses it`,
    { details: { reason: "newer_schema", found, known } },
  );
}

/** A batch whose largest record the store refuses. */
export function recordTooLarge(
  { puts }: Pick<StoreBatch, "puts">,
  limit: string,
  cause: unknown,
): SiltstoneError {
  const sizes = puts.map(({ key, value }) => ({
    key,
    bytes: new TextEncoder().encode(value).length,
  }));
  const largest = sizes.reduce((a, b) => (a.bytes < b.bytes ? b : a), { key: "", bytes: 0 });
  return new SiltstoneError(
    "too_large",
    `the record \`${largest.key}\` has ${largest.bytes} bytes, more than the store takes (${limit}): nothing was written. Lower \`history.maxMessageChars\`, or keep long texts elsewhere`,
    { details: largest, cause },
  );
}

/** A commit of which nobody can say whether it was written. */
export function outcomeUnknown(cause: unknown): SiltstoneError {
  return new SiltstoneError(
    "store_failed",
    `the store gave no answer to a commit, which may or may not have been written: ${messageOf(cause)}`,
    { details: { outcome: "unknown" }, cause },
  );
}

/** A commit that failed for certain. */
export function notWritten(cause: unknown): SiltstoneError {
  return new SiltstoneError("store_failed", `nothing was written: ${messageOf(cause)}`, {
    details: { outcome: "not_written" },
    cause,
  });
}
