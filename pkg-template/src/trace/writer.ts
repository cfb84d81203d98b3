import { writtenThrown } from "./values.js";

/** Hands lines to a function one after the other, at its pace. */
export class Writer {
  readonly #write: (line: string) => unknown;
  readonly #onFailure: (message: string) => void;
  readonly #waiting: string[] = [];
  #writing: Promise<void> | undefined;
  #failure: { error: unknown } | undefined;
  #isOver = false;

  constructor(write: (line: string) => unknown, onFailure: (message: string) => void) {
    this.#write = write;
    this.#onFailure = onFailure;
  }

  /** Writes a value as a line of JSON; after the end or a failure nothing is written any more. */
  put(value: object): void {
    if (this.#isOver) {
      return;
    }
    try {
      this.#waiting.push(`${JSON.stringify(value)}\n`);
    } catch (error) {
      // Longer than a string can be.
      this.#fail(error);
      return;
    }
    if (this.#writing === undefined) {
      this.#go();
    }
  }

  end(): void {
    this.#isOver = true;
  }

  async flush(): Promise<void> {
    while (this.#writing !== undefined) {
      await this.#writing;
    }
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
  }

  /** Writes what waits, until there is something to wait for. */
  #go(): void {
    this.#writing = undefined;
    try {
      for (let line = this.#waiting.shift(); line !== undefined; line = this.#waiting.shift()) {
        const done = this.#write(line);
        if (isThenable(done)) {
          this.#writing = Promise.resolve(done).then(
            () => this.#go(),
            (error) => this.#fail(error),
          );
          return;
        }
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#writing = undefined;
    this.#isOver = true;
    this.#waiting.length = 0;
    this.#failure = { error };
    const { message = "no reason was given" } = writtenThrown(error);
    this.#onFailure(`the trace could not be written: ${message}`);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function";
}
