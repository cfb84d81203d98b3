import { type LoopOptions, loop, type Timer } from "./loop.js";
import type { Maintained } from "./slices.js";

/**
 * Runs maintenance in a browser, each slice when the page has nothing else to do. Where there is no
 * `requestIdleCallback`, a timer stands in for it.
 *
 * @example
 * ```ts
 * const memory = await Siltstone.create({ host });
 * whenIdle(memory, { signal: controller.signal });
 * ```
 */
export function whenIdle(memory: Maintained, options: LoopOptions = {}): void {
  loop(memory, options, idleTimer);
}

const idleTimer: Timer = (work, delayMs) => {
  let idle: number | undefined;
  const timer = setTimeout(() => {
    if (typeof requestIdleCallback === "function") {
      idle = requestIdleCallback(work);
    } else {
      work();
    }
  }, delayMs);
  return () => {
    clearTimeout(timer);
    if (idle !== undefined) {
      cancelIdleCallback(idle);
    }
  };
};
