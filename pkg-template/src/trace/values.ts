/**
 * A value as JSON. What JSON has no word for is an object of one field whose name begins with `$`:
 * `{"$floats": "…"}`.
 */
export type Written =
  | null
  | boolean
  | number
  | string
  | readonly Written[]
  | { readonly [field: string]: Written };

/** What a callback threw, as far as the core and people need it. */
export interface Thrown {
  /** Absent where something without a message was thrown. */
  message?: string;
  name?: string;
  code?: string;
}

/** What a callback gave or threw. */
export type Outcome = { value: Written } | { error: Thrown };

const MAX_DEPTH = 64;
const MAX_VALUES = 4_000_000;

/** The fields that the core reads of each item of a list, whatever else is there. */
const ITEM_FIELDS: Record<string, readonly string[]> = {
  get: ["value", "version"],
  range: ["key", "value", "version"],
  vectorQuery: ["id", "score"],
};

/** Writes what the callback of this name answered. Reading the answer may run code of the host's. */
export function writtenAnswer(name: string, answer: unknown): Written {
  const fields = ITEM_FIELDS[name];
  if (fields === undefined || !Array.isArray(answer)) {
    return new Writing(MAX_VALUES, MAX_DEPTH).write(answer, 0);
  }
  // Rows of a driver may be of a class of its own, whose fields are no properties of the object.
  const rows: unknown[] = [];
  for (let at = 0; at < Math.min(answer.length, MAX_VALUES); at += 1) {
    const row: unknown = answer[at];
    const isObject = typeof row === "object" && row !== null;
    rows.push(
      isObject
        ? Object.fromEntries(fields.map((field) => [field, Reflect.get(row, field)] as const))
        : row,
    );
  }
  return written(rows);
}

/** Writes a value of the package's own. */
export function written(value: unknown): Written {
  return new Writing(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY).write(value, 0);
}

class Writing {
  readonly #most: number;
  readonly #deepest: number;
  #values = 0;

  constructor(most: number, deepest: number) {
    this.#most = most;
    this.#deepest = deepest;
  }

  write(value: unknown, depth: number): Written {
    this.#values += 1;
    if (this.#values > this.#most || depth > this.#deepest) {
      throw new Error("an answer is too large to be recorded");
    }
    switch (typeof value) {
      case "boolean":
      case "string":
        return value;
      case "number":
        return Number.isFinite(value) && !Object.is(value, -0)
          ? value
          : { $number: Object.is(value, -0) ? "-0" : String(value) };
      case "bigint":
        return { $bigint: String(value) };
      case "object":
        return value === null ? null : this.#object(value, depth + 1);
      default:
        return { $other: typeof value };
    }
  }

  #object(value: object, depth: number): Written {
    if (value instanceof Uint8Array) {
      return { $bytes: base64(value) };
    }
    if (value instanceof Float32Array) {
      return { $floats: base64(bytesOf(value)) };
    }
    if (Array.isArray(value) || (ArrayBuffer.isView(value) && "length" in value)) {
      const list = value as ArrayLike<unknown>;
      const items: Written[] = [];
      for (let at = 0; at < list.length; at += 1) {
        items.push(this.write(list[at], depth));
      }
      return items;
    }
    const fields = Object.entries(value).map(
      ([name, field]) => [name, this.write(field, depth)] as const,
    );
    const object = Object.fromEntries(fields);
    return fields.length === 1 && fields[0]?.[0].startsWith("$") ? { $object: object } : object;
  }
}

/** The value that was written. */
export function revived(value: Written): unknown {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (isList(value)) {
    return value.map(revived);
  }
  const fields = Object.entries(value);
  const [name, held] = fields[0] ?? [];
  return fields.length === 1 && name?.startsWith("$")
    ? special(name, held as Written)
    : plainObject(value);
}

// `Array.isArray` does not tell a list that is read-only from an object.
function isList(value: object): value is readonly Written[] {
  return Array.isArray(value);
}

function plainObject(value: { readonly [field: string]: Written }): unknown {
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, revived(field)]));
}

function special(name: string, held: Written): unknown {
  switch (name) {
    case "$number":
      return Number(held);
    case "$bigint":
      return BigInt(held as string);
    case "$bytes":
      return bytes(held as string);
    case "$floats":
      return floats(bytes(held as string));
    case "$object":
      return plainObject(held as { [field: string]: Written });
    case "$other":
      // Of functions and symbols only the kind can matter.
      return { undefined: undefined, function: () => {}, symbol: Symbol() }[held as string];
    default:
      throw new Error(`no value is written as ${name}`);
  }
}

/** Writes what was thrown, which may be anything. */
export function writtenThrown(thrown: unknown): Thrown {
  if (typeof thrown === "string") {
    return { message: thrown };
  }
  const error: Thrown = {};
  for (const field of ["message", "name", "code"] as const) {
    try {
      const text: unknown = (thrown as Thrown | null | undefined)?.[field];
      if (typeof text === "string") {
        error[field] = text;
      }
    } catch {
      // Even asking may throw.
    }
  }
  return error;
}

/** Writes the error of a call. */
export function writtenError(thrown: unknown): Written {
  const { path, details } = thrown as { path?: string; details?: unknown };
  return written({
    ...writtenThrown(thrown),
    ...(path !== undefined && { path }),
    ...(details != null && { details }),
  });
}

/** Something to throw that says the same to the core. */
export function thrownOf({ message, ...fields }: Thrown): unknown {
  return message === undefined ? undefined : Object.assign(new Error(message), fields);
}

/** Characters that `String.fromCharCode` takes at once. */
const CHUNK = 8_192;

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(text);
}

function bytes(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

// Little-endian whatever the machine.
function bytesOf(values: Float32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * 4));
  values.forEach((value, at) => {
    view.setFloat32(at * 4, value, true);
  });
  return new Uint8Array(view.buffer);
}

function floats(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => view.getFloat32(at * 4, true));
}
