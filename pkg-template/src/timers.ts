/** The longest time that a timer takes, in milliseconds; beyond, it would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;
