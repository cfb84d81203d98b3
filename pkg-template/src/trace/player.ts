import type { SiltstoneConfig } from "../config.js";
import type { CoreCalls, CoreParts, Tracer } from "../tracer.js";
import { AT_ONCE, type Callback, type Callbacks, type Timer } from "./callbacks.js";
import { compare, type Difference } from "./difference.js";
import {
  type AskLine,
  damaged,
  type Event,
  type Header,
  outcomeIn,
  type Said,
  type SaidLine,
  type Step,
  saidIn,
  type TraceReader,
} from "./lines.js";
import type { Replayed } from "./replay.js";
import { quiet } from "./turns.js";
import { revived, thrownOf, type Written, written, writtenError } from "./values.js";

/** What waits for an answer, and the line of the call for which it was asked. */
interface Asked {
  call: number;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Stands in for the host, and compares what the core says with what it said then. */
export class Player implements Tracer {
  readonly config: SiltstoneConfig;
  readonly #header: Header;
  /** By the lines that asked. */
  readonly #asked = new Map<number, Asked>();
  /** By their lines. */
  readonly #calls = new Map<number, Difference["call"]>();
  #core: CoreCalls | undefined;
  #step: Step = { event: { n: 1, call: "", request: null }, said: [], isCut: false };
  /** How much of the step's the core has said, and how much it has said in all. */
  #at = 0;
  #said = 0;
  #hostCalls = 0;
  /** The line of the call that the core is at. */
  #call = 0;
  #difference: Difference | undefined;
  #fault: unknown;

  constructor(header: Header) {
    this.#header = header;
    this.config = read(1, header.config) as SiltstoneConfig;
  }

  get isUsed(): boolean {
    return this.#core !== undefined;
  }

  open({ make }: CoreParts): CoreCalls {
    this.#core = make(this.#callbacks());
    return this.#core;
  }

  /** Plays the trace, up to the first difference. */
  async play(reader: TraceReader): Promise<Replayed> {
    let step = await reader.step();
    while (step !== undefined) {
      await this.#play(step);
      step = this.#difference === undefined ? await reader.step() : undefined;
    }
    return {
      status: this.#difference === undefined ? "same" : "different",
      ...(this.#difference && { difference: this.#difference }),
      calls: this.#calls.size,
      hostCalls: this.#hostCalls,
      isComplete: this.#difference === undefined && reader.hasEnd,
    };
  }

  async #play(step: Step): Promise<void> {
    this.#step = step;
    this.#at = 0;
    this.#happens(step.event);
    await quiet(() => this.#said);
    if (this.#fault !== undefined) {
      throw this.#fault;
    }
    if (this.#at < step.said.length) {
      this.#compare(undefined);
    }
  }

  #happens(event: Event): void {
    if ("call" in event) {
      this.#calls.set(event.n, { number: this.#calls.size + 1, method: event.call });
      this.#call = event.n;
      this.#core?.call(event.call, read(event.n, event.request)).then(
        (value) => this.#compare({ result: event.n, value: written(value) }),
        (error) => this.#compare({ result: event.n, error: writtenError(error) }),
      );
      return;
    }
    const asked = this.#asked.get(event.answer);
    if (asked === undefined) {
      throw damaged(event.n, "an answer to what was asked before");
    }
    this.#asked.delete(event.answer);
    this.#call = asked.call;
    const outcome = outcomeIn(event);
    if ("error" in outcome) {
      asked.reject(thrownOf(outcome.error));
    } else {
      asked.resolve(read(event.n, outcome.value));
    }
  }

  /** Compares what the core says with the trace, and gives the line of it if they are the same. */
  #compare(came: Said | undefined): SaidLine | undefined {
    this.#said += 1;
    const { event, said, isCut } = this.#step;
    const line = said[this.#at];
    if (this.#difference !== undefined || (line === undefined && isCut)) {
      return undefined;
    }
    this.#at += 1;
    const place = { line: line?.n ?? event.n + said.length + 1, call: this.#callOf(line) };
    this.#difference = compare(place, line && saidIn(line), came);
    return this.#difference === undefined ? line : undefined;
  }

  #callOf(line: SaidLine | undefined): Difference["call"] {
    const of =
      line && "ask" in line ? line.for : line && "result" in line ? line.result : this.#call;
    return this.#calls.get(of) ?? { number: 0, method: "" };
  }

  #callbacks(): Callbacks {
    const callbacks: Callbacks = Object.fromEntries(
      this.#header.host.map((name) => [
        name,
        AT_ONCE.includes(name) ? this.#atOnce(name) : this.#later(name),
      ]),
    );
    const { sleep, count } = callbacks;
    const { counter } = this.#header;
    return {
      ...callbacks,
      ...(sleep && { sleep: (ms) => this.#timer(ms) }),
      ...(count && counter !== undefined && { count: Object.assign(count, { id: counter }) }),
    };
  }

  #ask(name: string, args: unknown[]): AskLine | undefined {
    const line = this.#compare({ ask: name, args: args.map(written) });
    if (line !== undefined) {
      this.#hostCalls += 1;
    }
    return line as AskLine | undefined;
  }

  #atOnce(name: string): Callback {
    return (...args) => {
      const line = this.#ask(name, args);
      if (line === undefined) {
        throw new Error("the replay is over");
      }
      const outcome = outcomeIn(line);
      if ("error" in outcome) {
        throw thrownOf(outcome.error);
      }
      try {
        return read(line.n, outcome.value);
      } catch (fault) {
        this.#fault = fault;
        throw fault;
      }
    };
  }

  // After a difference, and where the trace ends, nothing is ever answered.
  #later(name: string): Callback {
    return (...args) => {
      const line = this.#ask(name, args);
      return new Promise((resolve, reject) => {
        if (line !== undefined) {
          this.#asked.set(line.n, { call: line.for, resolve, reject });
        }
      });
    };
  }

  #timer(ms: unknown): Timer {
    const line = this.#ask("sleep", [ms]);
    const promise = new Promise<void>((resolve, reject) => {
      if (line !== undefined) {
        this.#asked.set(line.n, { call: line.for, resolve: () => resolve(), reject });
      }
    });
    const cancel = () => {
      if (line !== undefined && this.#asked.delete(line.n)) {
        this.#compare({ cancel: line.n });
      }
    };
    return { promise, cancel };
  }
}

/** @throws SiltstoneError where nothing is written so. */
function read(line: number, value: Written): unknown {
  try {
    return revived(value);
  } catch {
    throw damaged(line, "values as a recording writes them");
  }
}
