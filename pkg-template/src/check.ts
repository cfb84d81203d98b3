import { type ErrorCode, SiltstoneError } from "./errors.js";

/** Objects and arrays within one another at most. */
const MAX_DEPTH = 64;

type WithWellFormed = { isWellFormed?: (this: string) => boolean };
const nativeIsWellFormed = (String.prototype as WithWellFormed).isWellFormed;
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Gives a plain copy of `value` that survives the way into the core: no `undefined` properties and
 * nothing that JSON cannot hold.
 *
 * @param path - Where the value sits in the request; empty for the request itself.
 * @throws {@link SiltstoneError} with the path of the first value that cannot cross.
 */
export function plain(value: unknown, path = "", code: ErrorCode = "invalid_input"): unknown {
  return new Walk(code).copy(value, path);
}

/** Checks the `text` of a request, as {@link plain} does. */
export function checkText(text: string): void {
  if (!isWellFormed(text)) {
    plain(text, "text");
  }
}

function isWellFormed(text: string): boolean {
  return nativeIsWellFormed?.call(text) ?? !LONE_SURROGATE.test(text);
}

class Walk {
  readonly #code: ErrorCode;
  readonly #open = new Set<object>();

  constructor(code: ErrorCode) {
    this.#code = code;
  }

  copy(value: unknown, path: string): unknown {
    switch (typeof value) {
      case "boolean":
        return value;
      case "string":
        return this.#text(value, path);
      case "number":
        return Number.isFinite(value) ? value : this.#fail(path, "a finite number", String(value));
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
    return Array.from(values, (item, index) => this.copy(item, `${path}[${index}]`));
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
    for (const [key, field] of Object.entries(value)) {
      if (field !== undefined) {
        this.#text(key, path);
        copied.push([key, this.copy(field, join(path, key))]);
      }
    }
    // Unlike assignment, this keeps a field named `__proto__` a field.
    return Object.fromEntries(copied);
  }

  #text(text: string, path: string): string {
    return isWellFormed(text) ? text : this.#fail(path, "well-formed Unicode", "a lone surrogate");
  }

  #fail(path: string, expected: string, found: string): never {
    const at = path === "" ? "the request" : path;
    throw new SiltstoneError(this.#code, `${at}: expected ${expected}, got ${found}`, {
      path,
      details: { expected, found },
    });
  }
}

function join(path: string, key: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) {
    return `${path}[${JSON.stringify(key)}]`;
  }
  return path === "" ? key : `${path}.${key}`;
}
