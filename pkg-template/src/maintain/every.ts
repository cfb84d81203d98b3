import { type LoopOptions, loop, type Timer } from "./loop.js";
import type { Maintained } from "./slices.js";

/**
 * Runs maintenance in Node or Bun, the first slice at once. Its timer keeps no process alive.
 *
 * @example
 * ```ts
 * const memory = await Siltstone.create({ host });
 * every(memory, { intervalMs: 600_000, signal: shutdown.signal });
 * ```
 */
export function every(memory: Maintained, options: LoopOptions = {}): void {
  loop(memory, options, unrefTimer);
}

const unrefTimer: Timer = (work, delayMs) => {
  const timer = setTimeout(work, delayMs);
  timer.unref?.();
  return () => clearTimeout(timer);
};
