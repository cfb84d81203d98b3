/** Microtasks in which the core says nothing after which it waits for its host. */
const QUIET = 16;

/** Waits until the core does nothing more by itself; `said` counts what it has said. */
export async function quiet(said: () => number): Promise<void> {
  let before = said();
  for (let left = QUIET; left > 0; left -= 1) {
    await undefined;
    const now = said();
    if (now !== before) {
      before = now;
      left = QUIET;
    }
  }
}

/**
 * Lets one thing at a time reach the core: of two answers that come in the same moment the core would
 * see both at once or one by one, and a replay could not know.
 */
export class Turns {
  readonly #said: () => number;
  #isTaken = false;
  #free: Promise<void> = Promise.resolve();

  constructor(said: () => number) {
    this.#said = said;
  }

  /** Does `work` when it is its turn. */
  async take(work: () => void): Promise<void> {
    // Whoever comes first takes it: in a Worker, one that waits may never come back.
    while (this.#isTaken) {
      await this.#free;
    }
    this.#isTaken = true;
    let free = () => {};
    this.#free = new Promise((resolve) => {
      free = resolve;
    });
    try {
      work();
      await quiet(this.#said);
    } finally {
      this.#isTaken = false;
      free();
    }
  }
}
