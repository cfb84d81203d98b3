const BYTES = 12;

/** A version that was never there before: random, so that no state has to be kept for it. */
export function newVersion(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
