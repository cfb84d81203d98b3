import type { MaintainOptions } from "../requests.js";
import { MAX_TIMER_MS } from "../timers.js";
import type { Maintained } from "./slices.js";

/** How maintenance goes on for as long as a process or a page lives. */
export interface LoopOptions extends MaintainOptions {
  /** The time between runs, in milliseconds. Default: as the memory asks for. */
  intervalMs?: number;
  /** Ends it. */
  signal?: AbortSignal;
  /** Takes note of a slice that failed; without it, a warning goes to the console. */
  onError?(error: unknown): void;
}

/** Runs `work` after `delayMs` milliseconds; what it gives calls that off. */
export type Timer = (work: () => void, delayMs: number) => () => void;

/** After a fault, or where the memory's clock is not the machine's: not at once, in milliseconds. */
const MIN_INTERVAL_MS = 1_000;
const RETRY_MS = 60_000;

/** Runs slices, the first one soon, until the signal or the end of the instance. */
export function loop(
  memory: Maintained,
  { intervalMs, signal, onError = warn, ...options }: LoopOptions,
  timer: Timer,
): void {
  let callOff = () => {};
  const plan = (delayMs: number) => {
    if (!signal?.aborted) {
      callOff = timer(run, Math.min(delayMs, MAX_TIMER_MS));
    }
  };
  const run = async () => {
    try {
      const { done, nextRunAt } = await memory.maintain(options);
      const due = Math.max(MIN_INTERVAL_MS, nextRunAt - Date.now());
      plan(done ? (intervalMs ?? due) : 0);
    } catch (error) {
      if (codeOf(error) !== "closed") {
        onError(error);
        plan(intervalMs ?? RETRY_MS);
      }
    }
  };
  signal?.addEventListener("abort", () => callOff(), { once: true });
  plan(0);
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null | undefined)?.code;
}

function warn(error: unknown): void {
  console.warn("siltstone: maintenance failed and will be tried again:", error);
}
