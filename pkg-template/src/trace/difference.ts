import { join } from "../check.js";
import type { Said } from "./lines.js";

/** Where a replay and its trace part. */
export interface Difference {
  /** The line of the trace, from 1, in whose place something else came. */
  line: number;
  /** The call of the memory in which it came: which one of the trace, from 1, and its name. */
  call: { number: number; method: string };
  /** What differs: what was asked of the host, or what the call of the memory gave. */
  in: "host_call" | "result";
  /**
   * Where in it: `args[0].puts[1].value`, `value.stored[0].content`. Empty where it differs as a whole:
   * another host call, one too many or one too few.
   */
  path: string;
  /** What the trace has there; absent where it has nothing. */
  expected?: unknown;
  /** What came; absent where nothing did. */
  came?: unknown;
  /** All of this for people. */
  message: string;
}

/** Compares what the trace has at some place with what came there. */
export function compare(
  { line, call }: Pick<Difference, "line" | "call">,
  expected: Said | undefined,
  came: Said | undefined,
): Difference | undefined {
  const name = nameOf(expected);
  const isLike = name === nameOf(came);
  const found = isLike ? first(bodyOf(expected), bodyOf(came), "") : { path: "", expected, came };
  if (found === undefined) {
    return undefined;
  }
  const where = `line ${line}, call ${call.number}, ${call.method}`;
  const what = isLike ? [name, found.path].join(", ").replace(/^result, /, "") : "";
  const at = common(found.expected, found.came);
  const [was, is] = [shown(found.expected, at), shown(found.came, at)];
  return {
    line,
    call,
    in: "result" in (expected ?? came ?? {}) ? "result" : "host_call",
    path: found.path,
    ...(found.expected !== undefined && { expected: found.expected }),
    ...(found.came !== undefined && { came: found.came }),
    message: `${where}: ${what === "" ? "" : `${what}: `}expected ${was}, got ${is}`,
  };
}

/** What is compared field by field has the same name. */
function nameOf(said: Said | undefined): string | undefined {
  if (said === undefined || "cancel" in said) {
    return said && `the end of the timer of line ${said.cancel}`;
  }
  return "ask" in said ? said.ask : "result";
}

function bodyOf(said: Said | undefined): unknown {
  if (said === undefined || "cancel" in said) {
    return {};
  }
  if ("ask" in said) {
    return { args: said.args };
  }
  const { result: _, ...outcome } = said;
  return outcome;
}

interface Found {
  path: string;
  expected: unknown;
  came: unknown;
}

/** The first place where two values that JSON can hold differ. */
function first(expected: unknown, came: unknown, path: string): Found | undefined {
  if (JSON.stringify(expected) === JSON.stringify(came)) {
    return undefined;
  }
  const whole = { path, expected, came };
  if (Array.isArray(expected) && Array.isArray(came)) {
    const length = Math.max(expected.length, came.length);
    const found = Array.from({ length }, (_, at) => at).find(
      (at) => JSON.stringify(expected[at]) !== JSON.stringify(came[at]),
    );
    return found === undefined ? whole : first(expected[found], came[found], `${path}[${found}]`);
  }
  if (isRecord(expected) && isRecord(came)) {
    const names = [...new Set([...Object.keys(expected), ...Object.keys(came)])];
    const found = names.find(
      (name) => JSON.stringify(expected[name]) !== JSON.stringify(came[name]),
    );
    // The same fields in another order are other bytes.
    return found === undefined ? whole : first(expected[found], came[found], join(path, found));
  }
  return whole;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Characters of a value that are shown, and those of them before the first that differs. */
const SHOWN = 120;
const BEFORE = 40;

/** How many characters two values begin with alike. */
function common(a: unknown, b: unknown): number {
  const [one, other] = [textOf(a), textOf(b)];
  let at = 0;
  while (at < one.length && one[at] === other[at]) {
    at += 1;
  }
  return at;
}

function shown(value: unknown, at: number): string {
  if (value === undefined) {
    return "nothing";
  }
  const text = textOf(value);
  const from = text.length <= SHOWN ? 0 : Math.max(0, at - BEFORE);
  const part = text.slice(from, from + SHOWN);
  return `${from > 0 ? "…" : ""}${part}${from + SHOWN < text.length ? "…" : ""}`;
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? "";
}
