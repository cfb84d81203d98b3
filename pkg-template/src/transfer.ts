import { SiltstoneError } from "./errors.js";
import type { Scope } from "./messages.js";

/** What an import did, by kind of line: `memory`, `message`, `session` and so on. */
export interface ImportReport {
  /** Lines that are stored now and were not before. */
  imported: Record<string, number>;
  /** Lines that were there already, or whose session or memory is not there. */
  skipped: Record<string, number>;
}

/** The text of an export, whole or in pieces: what `export` gives, a file, a stream. */
export type Lines = string | Iterable<string> | AsyncIterable<string>;

type Call = <T>(method: string, request: unknown) => Promise<T>;

/** Characters of one line at most. */
const MAX_LINE_CHARS = 4_000_000;
/** Lines, and characters, that go to the core at once. */
const BATCH_LINES = 1_000;
const BATCH_CHARS = 1_000_000;

export async function* exportLines(call: Call, scope: Scope): AsyncGenerator<string, void> {
  let cursor: string | undefined;
  do {
    const page: { lines: object[]; cursor?: string } = await call("export", { scope, cursor });
    for (const line of page.lines) {
      yield `${JSON.stringify(line)}\n`;
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
}

export async function importLines(call: Call, scope: Scope, lines: Lines): Promise<ImportReport> {
  const report: ImportReport = { imported: {}, skipped: {} };
  let done = 0;
  let batch: unknown[] = [];
  let chars = 0;
  const send = async () => {
    try {
      add(report, await call<ImportReport>("import", { scope, lines: batch }));
    } catch (error) {
      throw ofLine(error, done);
    }
    done += batch.length;
    batch = [];
    chars = 0;
  };
  for await (const line of split(lines)) {
    batch.push(parse(line, done + batch.length));
    chars += line.length;
    if (batch.length >= BATCH_LINES || chars >= BATCH_CHARS) {
      await send();
    }
  }
  if (batch.length > 0 || done === 0) {
    await send();
  }
  return report;
}

/** Lines that are not blank, wherever the pieces of the text begin and end. */
async function* split(text: Lines): AsyncGenerator<string, void> {
  let rest = "";
  for await (const piece of pieces(text)) {
    if (typeof piece !== "string") {
      throw new SiltstoneError("invalid_input", "lines: expected text", { path: "lines" });
    }
    const parts = (rest + piece).split("\n");
    rest = parts.pop() ?? "";
    yield* parts.filter((part) => part.trim() !== "");
    if (rest.length > MAX_LINE_CHARS) {
      break;
    }
  }
  if (rest.trim() !== "") {
    yield rest;
  }
}

async function* pieces(text: Lines): AsyncGenerator<string, void> {
  try {
    yield* typeof text === "string" ? [text] : text;
  } catch (cause) {
    throw new SiltstoneError("invalid_input", "lines: reading them failed", {
      path: "lines",
      cause,
    });
  }
}

function parse(line: string, number: number): unknown {
  const path = `lines[${number}]`;
  if (line.length > MAX_LINE_CHARS) {
    const message = `${path}: ${line.length} characters, at most ${MAX_LINE_CHARS} are taken`;
    const details = { limit: MAX_LINE_CHARS, got: line.length, unit: "characters" };
    throw new SiltstoneError("too_large", message, { path, details });
  }
  try {
    return JSON.parse(line);
  } catch {
    throw new SiltstoneError("invalid_input", `${path}: expected a line of JSON`, { path });
  }
}

/** The same error with the line's number in the whole list. */
function ofLine(error: unknown, done: number): unknown {
  if (!(error instanceof SiltstoneError) || error.path === undefined) {
    return error;
  }
  const [, number, rest] = /^lines\[(\d+)\](.*)$/s.exec(error.path) ?? [];
  if (number === undefined) {
    return error;
  }
  const path = `lines[${Number(number) + done}]${rest}`;
  const message = error.message.replace(error.path, path);
  return new SiltstoneError(error.code, message, { path, details: error.details });
}

function add(report: ImportReport, more: ImportReport): void {
  for (const what of ["imported", "skipped"] as const) {
    for (const [kind, count] of Object.entries(more[what])) {
      report[what][kind] = (report[what][kind] ?? 0) + count;
    }
  }
}
