import { SiltstoneError } from "../errors.js";
import type { CoreCalls, CoreParts, Tracer } from "../tracer.js";
import { version } from "../version.js";
import { AT_ONCE, type Callback, type Callbacks, type Timer } from "./callbacks.js";
import { FORMAT, type Header, type Line } from "./lines.js";
import { Turns } from "./turns.js";
import {
  type Outcome,
  revived,
  thrownOf,
  written,
  writtenAnswer,
  writtenError,
  writtenThrown,
} from "./values.js";
import { Writer } from "./writer.js";

/** Where a trace goes. */
export interface RecordOptions {
  /**
   * Takes the trace: a line of JSON at a time, its line break included. Where it gives a promise, the
   * next line waits for that. If it fails, the trace ends there, `host.log` is told of it
   * (`trace_failed`), and the memory goes on.
   */
  write(line: string): unknown;
}

/** A recording of one instance. */
export interface Recording extends Tracer {
  /** Waits until all that there is so far was written; rejects with what `write` failed with. */
  flush(): Promise<void>;
}

/**
 * Records an instance: every call of it, and everything that it asks of its host, with the answers,
 * in order. `replay` does the same again without the host.
 *
 * ```ts
 * const trace = record({ write: (line) => file.write(line) });
 * const memory = await Siltstone.create({ host, llm, trace });
 * // …
 * memory.close(); // writes the last line
 * await trace.flush();
 * ```
 *
 * A trace holds what was said and what is remembered, as it is: keep it as you keep the store. What
 * clients such as `openAiCompatible` add to a request, API keys among it, is not in it.
 *
 * Answers that come in the same moment reach a recorded instance one by one, and it loads its
 * vocabulary at the start; else it does what it does without a recording.
 */
export function record(options: RecordOptions): Recording {
  if (typeof options?.write !== "function") {
    throw new SiltstoneError("invalid_config", "write: expected a function", {
      path: "write",
      details: { expected: "a function" },
    });
  }
  return new Recorder(options);
}

type Unnumbered<T> = T extends unknown ? Omit<T, "n"> : never;

/** Without these, the core takes the runtime's own. */
const OWN: Callbacks = {
  now: () => Date.now(),
  random: (length) => crypto.getRandomValues(new Uint8Array(length as number)),
  log: (event) => console.warn("siltstone", event),
};

class Recorder implements Recording {
  readonly #writer: Writer;
  readonly #turns = new Turns(() => this.#lines);
  #outside: Callbacks = OWN;
  #isUsed = false;
  #lines = 0;
  /** The line of the call that the core is at. */
  #call = 0;

  constructor({ write }: RecordOptions) {
    const event = { level: "warn", event: "trace_failed" };
    this.#writer = new Writer(write, (message) => this.#outside.log?.({ ...event, message }));
  }

  get isUsed(): boolean {
    return this.#isUsed;
  }

  flush(): Promise<void> {
    return this.#writer.flush();
  }

  open({ callbacks, config, make }: CoreParts): CoreCalls {
    if (this.#isUsed) {
      const expected = "a recording of its own for each instance";
      throw new SiltstoneError("invalid_config", `trace: expected ${expected}`, {
        path: "trace",
        details: { expected },
      });
    }
    const outside: Callbacks = { ...OWN, ...callbacks };
    const core = make(this.#recorded(outside));
    this.#isUsed = true;
    this.#outside = outside;
    const { id } = (outside.count ?? {}) as { id?: string };
    this.#put({
      trace: "siltstone",
      format: FORMAT,
      version,
      host: Object.keys(outside),
      ...(id !== undefined && { counter: id }),
      config: written(config),
    });
    return {
      vocabulary: core.vocabulary,
      missingVocabulary: (method) => core.missingVocabulary(method),
      missingRest: (method, isCold) => core.missingRest(method, isCold),
      countText: (text, limit) => core.countText(text, limit),
      call: (method, request) => this.#called(core, method, request),
      free: () => {
        this.#put({ end: true });
        this.#writer.end();
        core.free();
      },
    };
  }

  #put(line: Unnumbered<Header | Line>): number {
    this.#lines += 1;
    this.#writer.put({ n: this.#lines, ...line });
    return this.#lines;
  }

  #called(core: CoreCalls, method: string, request: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      void this.#turns.take(() => {
        const result = this.#put({ call: method, request: written(request) });
        this.#call = result;
        core.call(method, request).then(
          (value) => {
            this.#put({ result, value: written(value) });
            resolve(value);
          },
          (error) => {
            this.#put({ result, error: writtenError(error) });
            reject(error);
          },
        );
      });
    });
  }

  #recorded(outside: Callbacks): Callbacks {
    const { sleep, count, ...others } = outside;
    const recorded = Object.fromEntries(
      Object.entries(others).map(([name, callback]) => [
        name,
        AT_ONCE.includes(name) ? this.#atOnce(name, callback) : this.#later(name, callback),
      ]),
    );
    return {
      ...recorded,
      ...(sleep && { sleep: (ms) => this.#timer(ms, sleep(ms) as Timer) }),
      // A counter may have an `id`.
      ...(count && { count: Object.assign(this.#atOnce("count", count), count) }),
    };
  }

  #atOnce(name: string, callback: Callback): Callback {
    return (...args) => {
      const ask = { ask: name, args: args.map(written), for: this.#call };
      let outcome: Outcome;
      try {
        outcome = { value: writtenAnswer(name, callback(...args)) };
      } catch (error) {
        outcome = { error: writtenThrown(error) };
      }
      this.#put({ ...ask, ...outcome });
      if ("error" in outcome) {
        throw thrownOf(outcome.error);
      }
      return revived(outcome.value);
    };
  }

  #later(name: string, callback: Callback): Callback {
    return (...args) => {
      const owner = this.#call;
      const answer = this.#put({ ask: name, args: args.map(written), for: owner });
      const asked = Date.now();
      const answered = outcomeOf(name, callback(...args));
      return new Promise((resolve, reject) => {
        void answered.then((outcome) =>
          this.#turns.take(() => {
            this.#call = owner;
            this.#put({ answer, ...outcome, ms: Date.now() - asked });
            if ("error" in outcome) {
              reject(thrownOf(outcome.error));
            } else {
              // Of the trace and not as it came, so that a replay cannot differ.
              resolve(revived(outcome.value));
            }
          }),
        );
      });
    };
  }

  #timer(ms: unknown, timer: Timer): Timer {
    const owner = this.#call;
    const answer = this.#put({ ask: "sleep", args: [written(ms)], for: owner });
    let isOver = false;
    const promise = new Promise<void>((resolve) => {
      void timer.promise.then(() =>
        this.#turns.take(() => {
          if (!isOver) {
            isOver = true;
            this.#call = owner;
            this.#put({ answer, value: null, ms: ms as number });
            resolve();
          }
        }),
      );
    });
    const cancel = () => {
      timer.cancel();
      if (!isOver) {
        isOver = true;
        this.#put({ cancel: answer });
      }
    };
    return { promise, cancel };
  }
}

async function outcomeOf(name: string, answer: unknown): Promise<Outcome> {
  try {
    return { value: writtenAnswer(name, await answer) };
  } catch (error) {
    return { error: writtenThrown(error) };
  }
}
