import { type ErrorCode, isSiltstoneError, SiltstoneError } from "./errors.js";

/** Objects and arrays within one another at most. */
const MAX_DEPTH = 64;
/** Values in one request at most. */
const MAX_VALUES = 500_000;
/** Characters in one request at most: what does not fit in the core's memory would end the core. */
const MAX_CHARS = 16_000_000;

type WithWellFormed = { isWellFormed?: (this: string) => boolean };
const nativeIsWellFormed = (String.prototype as WithWellFormed).isWellFormed;
// `\p{Surrogate}` would have its table made at the import.
const LONE_SURROGATE = /[\ud800-\udfff]/u;

/**
 * Gives a plain copy of `value` that survives the way into the core: no `undefined` properties and
 * nothing that JSON cannot hold.
 *
 * @param path - Where the value sits in the request; empty for the request itself.
 * @throws {@link SiltstoneError} with the path of the first value that cannot cross.
 */
export function plain(value: unknown, path = "", code: ErrorCode = "invalid_input"): unknown {
  return new Walk(code).run(value, path);
}

/**
 * The same for what a host or a service answered, under `code`. Lone surrogates and numbers that
 * are none, which the other side may well send, pass here and are replaced on the way in.
 */
export function plainAnswer(value: unknown, path: string, code: ErrorCode): unknown {
  return value == null ? value : new Walk(code, { isAnswer: true }).run(value, path);
}

/** `{ ...options, ...fields }`, whose getters may throw. */
export function joined(options: object, fields: object): object {
  try {
    return { ...options, ...fields };
  } catch (cause) {
    throw unreadable("invalid_input", "", cause);
  }
}

function unreadable(code: ErrorCode, path: string, cause: unknown): SiltstoneError {
  const message = `${path === "" ? "the request" : path}: reading it failed`;
  return new SiltstoneError(code, message, { path, cause });
}

/** Checks a text of a request, as {@link plain} does. */
export function checkText(text: string, path = "text"): void {
  if (!isWellFormed(text)) {
    plain(text, path);
  }
}

/** Whether a text has no half of a surrogate pair by itself. */
export function isWellFormed(text: string): boolean {
  return nativeIsWellFormed?.call(text) ?? !LONE_SURROGATE.test(text);
}

class Walk {
  readonly #code: ErrorCode;
  readonly #isAnswer: boolean;
  readonly #open = new Set<object>();
  #values = 0;
  #chars = 0;
  #path = "";

  constructor(code: ErrorCode, { isAnswer = false } = {}) {
    this.#code = code;
    this.#isAnswer = isAnswer;
  }

  run(value: unknown, path: string): unknown {
    try {
      return this.copy(value, path);
    } catch (error) {
      // A getter, a proxy or a `toJSON` of the caller's.
      throw isSiltstoneError(error) ? error : unreadable(this.#code, this.#path, error);
    }
  }

  copy(value: unknown, path: string): unknown {
    this.#path = path;
    switch (typeof value) {
      case "boolean":
        return value;
      case "string":
        return this.#text(value, path);
      case "number":
        return Number.isFinite(value) || this.#isAnswer
          ? value
          : this.#fail(path, "a finite number", String(value));
      case "object":
        return value === null ? null : this.#object(value, path);
      case "bigint":
        return this.#fail(path, "a number or a string", "a BigInt");
      default:
        return this.#fail(path, "a value that JSON can hold", typeof value);
    }
  }

  #object(value: object, path: string): unknown {
    if (this.#open.has(value)) {
      return this.#fail(path, "a value without cycles", "an object that contains itself");
    }
    if (this.#open.size >= MAX_DEPTH) {
      return this.#fail(path, `at most ${MAX_DEPTH} levels of nesting`, "more");
    }
    this.#open.add(value);
    const copied = Array.isArray(value) ? this.#array(value, path) : this.#record(value, path);
    this.#open.delete(value);
    return copied;
  }

  #array(values: readonly unknown[], path: string): unknown[] {
    const { length } = values;
    this.#count(path, length);
    // Not by its iterator, which may have no end.
    const copied: unknown[] = [];
    for (let index = 0; index < length; index += 1) {
      copied.push(this.copy(values[index], `${path}[${index}]`));
    }
    return copied;
  }

  #record(value: object, path: string): unknown {
    if (value instanceof Date) {
      return this.#fail(path, "milliseconds since the epoch, such as `date.getTime()`", "a Date");
    }
    if (value instanceof Map || value instanceof Set) {
      return this.#fail(path, "a plain object or an array", `a ${value.constructor.name}`);
    }
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
      return this.#fail(path, "a string, such as base64", "binary data");
    }
    if ("toJSON" in value && typeof value.toJSON === "function") {
      return this.copy(value.toJSON(), path);
    }
    const copied: [string, unknown][] = [];
    const entries = Object.entries(value);
    this.#count(path, entries.length);
    for (const [key, field] of entries) {
      if (field !== undefined) {
        this.#text(key, path);
        copied.push([key, this.copy(field, join(path, key))]);
      }
    }
    // Unlike assignment, this keeps a field named `__proto__` a field.
    return Object.fromEntries(copied);
  }

  #count(path: string, more: number): void {
    this.#values += more;
    if (this.#values > MAX_VALUES) {
      this.#tooLarge(path, MAX_VALUES, "values");
    }
  }

  #text(text: string, path: string): string {
    this.#chars += text.length;
    if (this.#chars > MAX_CHARS) {
      this.#tooLarge(path, MAX_CHARS, "characters");
    }
    return this.#isAnswer || isWellFormed(text)
      ? text
      : this.#fail(path, "well-formed Unicode", "a lone surrogate");
  }

  #tooLarge(path: string, limit: number, unit: string): never {
    // An answer that is too large is a fault of who gave it.
    const code = this.#isAnswer ? this.#code : "too_large";
    const at = path === "" ? "the request" : path;
    throw new SiltstoneError(code, `${at}: more than ${limit} ${unit} up to here`, {
      path,
      details: { limit, unit },
    });
  }

  #fail(path: string, expected: string, found: string): never {
    const at = path === "" ? "the request" : path;
    throw new SiltstoneError(this.#code, `${at}: expected ${expected}, got ${found}`, {
      path,
      details: { expected, found },
    });
  }
}

/** The path of a field of what is at `path`. */
export function join(path: string, key: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) {
    return `${path}[${JSON.stringify(key)}]`;
  }
  return path === "" ? key : `${path}.${key}`;
}
