/** A function through which the core reaches the outside. */
export type Callback = (...args: unknown[]) => unknown;

/** All of them, by the names that the core knows. */
export type Callbacks = Record<string, Callback>;

/** What `sleep` gives. */
export interface Timer {
  promise: Promise<void>;
  cancel(): void;
}

/** Those whose answer the core takes at once; for `sleep` it gets a timer, and waits for all others. */
export const AT_ONCE: readonly string[] = ["now", "random", "log", "count"];
