import { SiltstoneError } from "../errors.js";
import type { Lines } from "../transfer.js";
import type { Outcome, Thrown, Written } from "./values.js";

/** The number of the form that traces are written in. */
export const FORMAT = 1;

/** The first line: what the instance is made of. */
export interface Header {
  n: 1;
  trace: "siltstone";
  format: number;
  /** The version of the package. */
  version: string;
  /** The names of the callbacks that there are. */
  host: string[];
  /** The `id` of the token counter. */
  counter?: string;
  config: Written;
}

/** A call of the memory begins. */
export interface CallLine {
  n: number;
  call: string;
  request: Written;
}

/** The core asks its host for something; what the host answers at once is there. */
export interface AskLine {
  n: number;
  ask: string;
  args: Written[];
  /** The line of the call for which it asks. */
  for: number;
  value?: Written;
  error?: Thrown;
}

/** The host answers what was asked in a line before. */
export interface AnswerLine {
  n: number;
  answer: number;
  value?: Written;
  error?: Thrown;
  /** How long it took, in milliseconds. */
  ms: number;
}

/** The core has no more use for a timer. */
export interface CancelLine {
  n: number;
  cancel: number;
}

/** A call of the memory ends. */
export interface ResultLine {
  n: number;
  result: number;
  value?: Written;
  error?: Written;
}

/** The instance was closed. */
export interface EndLine {
  n: number;
  end: true;
}

/** What happens to the core. */
export type Event = CallLine | AnswerLine;
/** What the core says. */
export type SaidLine = AskLine | CancelLine | ResultLine;
/** A line after the first. */
export type Line = Event | SaidLine | EndLine;

/** What the core says, without the number of its line and what the host answers at once. */
export type Said = { ask: string; args: Written[] } | Omit<CancelLine, "n"> | Omit<ResultLine, "n">;

/** What a line tells of the core. */
export function saidIn(line: SaidLine): Said {
  if ("ask" in line) {
    return { ask: line.ask, args: line.args };
  }
  const { n: _, ...said } = line;
  return said;
}

/** What a line tells of an answer. */
export function outcomeIn({ value, error }: AskLine | AnswerLine): Outcome {
  return error === undefined ? { value: value ?? null } : { error };
}

/** One event and what the core says then. */
export interface Step {
  event: Event;
  said: SaidLine[];
  /** Whether the trace ends here without its last line: the core may have said more. */
  isCut: boolean;
}

/** Reads a trace line by line. */
export class TraceReader {
  readonly #texts: AsyncGenerator<{ text: string; isWhole: boolean }, void>;
  #read = 0;
  #next: Line | undefined;
  #hasEnd = false;

  constructor(lines: Lines) {
    this.#texts = texts(lines);
  }

  /** Whether the last line was read. */
  get hasEnd(): boolean {
    return this.#hasEnd;
  }

  /** The first line. */
  async header(): Promise<Header> {
    const line = (await this.#line()) ?? {};
    const { trace, format, version, host, counter, config } = line as Partial<Header>;
    const isHeader =
      trace === "siltstone" &&
      typeof format === "number" &&
      typeof version === "string" &&
      Array.isArray(host) &&
      host.every((name) => typeof name === "string") &&
      (counter === undefined || typeof counter === "string") &&
      config !== undefined;
    if (!isHeader) {
      throw damaged(1, "the first line of a trace");
    }
    if (format !== FORMAT) {
      throw wrong(1, ".format", `${FORMAT}`, `${format}`);
    }
    this.#next = await this.#parsed();
    return line as Header;
  }

  /** The next event and what follows it up to the one after. */
  async step(): Promise<Step | undefined> {
    const event = this.#next;
    if (event === undefined || "end" in event) {
      return undefined;
    }
    if (!("call" in event || "answer" in event)) {
      throw damaged(event.n, "a line with `call` or `answer`");
    }
    const said: SaidLine[] = [];
    for (;;) {
      const line = await this.#parsed();
      if (line === undefined || "call" in line || "answer" in line || "end" in line) {
        this.#next = line;
        return { event, said, isCut: line === undefined };
      }
      said.push(line);
    }
  }

  async #parsed(): Promise<Line | undefined> {
    const line = await this.#line();
    if (line === undefined) {
      return undefined;
    }
    if (this.#hasEnd) {
      throw damaged(this.#read, "nothing after the end");
    }
    if (!isLine(line)) {
      throw damaged(this.#read, "a line of a trace");
    }
    if ("end" in line) {
      this.#hasEnd = true;
      // There is no more, or it is told.
      await this.#parsed();
    }
    return line;
  }

  async #line(): Promise<object | undefined> {
    const { value } = await this.#texts.next();
    if (!value) {
      return undefined;
    }
    this.#read += 1;
    const line = parsed(value.text);
    if (line === undefined) {
      throw damaged(this.#read, "a line of JSON", value.isWhole ? "damaged" : "cut_off");
    }
    const { n } = line as { n?: unknown };
    if (n !== this.#read) {
      throw wrong(this.#read, ".n", `${this.#read}`, String(n), "damaged");
    }
    return line;
  }
}

function isLine(line: object): line is Line {
  const {
    call,
    request,
    ask,
    args,
    answer,
    cancel,
    result,
    end,
    error,
    for: of,
  } = line as Partial<Record<string, unknown>>;
  const isError = error === undefined || (typeof error === "object" && error !== null);
  return (
    isError &&
    ((typeof call === "string" && request !== undefined) ||
      (typeof ask === "string" && Array.isArray(args) && typeof of === "number") ||
      typeof answer === "number" ||
      typeof cancel === "number" ||
      typeof result === "number" ||
      end === true)
  );
}

function parsed(text: string): object | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === "object" && line !== null ? line : undefined;
  } catch {
    return undefined;
  }
}

/** The error for a line that is not what it must be. */
export function damaged(
  line: number,
  expected: string,
  reason: "damaged" | "cut_off" = "damaged",
): SiltstoneError {
  const path = `lines[${line - 1}]`;
  const what = reason === "cut_off" ? ": the trace is cut off in it" : "";
  return new SiltstoneError("invalid_input", `${path}: expected ${expected}${what}`, {
    path,
    details: { line, expected, reason },
  });
}

/** The error for a field of a line that is another than this package can read. */
export function wrong(
  line: number,
  field: string,
  expected: string,
  found: string,
  reason: "damaged" | "version" = "version",
): SiltstoneError {
  const path = `lines[${line - 1}]${field}`;
  return new SiltstoneError("invalid_input", `${path}: expected ${expected}, got ${found}`, {
    path,
    details: { line, expected, found, reason },
  });
}

/** Lines that are not blank, wherever the pieces of the text begin and end. */
async function* texts(lines: Lines): AsyncGenerator<{ text: string; isWhole: boolean }, void> {
  let parts: string[] = [];
  for await (const piece of pieces(lines)) {
    if (typeof piece !== "string") {
      throw new SiltstoneError("invalid_input", "lines: expected text", { path: "lines" });
    }
    let from = 0;
    for (let to = piece.indexOf("\n"); to >= 0; to = piece.indexOf("\n", from)) {
      const text = parts.join("") + piece.slice(from, to);
      parts = [];
      from = to + 1;
      if (text.trim() !== "") {
        yield { text, isWhole: true };
      }
    }
    parts.push(piece.slice(from));
  }
  const text = parts.join("");
  if (text.trim() !== "") {
    yield { text, isWhole: false };
  }
}

async function* pieces(lines: Lines): AsyncGenerator<string, void> {
  try {
    yield* typeof lines === "string" ? [lines] : lines;
  } catch (cause) {
    throw new SiltstoneError("invalid_input", "lines: reading them failed", {
      path: "lines",
      cause,
    });
  }
}
