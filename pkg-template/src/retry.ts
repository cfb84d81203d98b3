const FIRST_MS = 250;
const MAX_MS = 8_000;
/** A server that wants to be left alone for longer is not waited for. */
const MAX_ASKED_MS = 60_000;

/** How long to wait after an attempt, ms: longer each time, and not in step with others. */
export function backoff(attempt: number): number {
  const full = Math.min(FIRST_MS * 2 ** (attempt - 1), MAX_MS);
  return full * (0.5 + Math.random() / 2);
}

/** How long a `Retry-After` header asks to wait, ms: it holds seconds, or a date. */
export function retryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? "";
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  if (Number.isNaN(ms)) {
    return undefined;
  }
  return ms > MAX_ASKED_MS ? Number.POSITIVE_INFINITY : Math.max(ms, 0);
}
