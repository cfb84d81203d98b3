import type { StoreBatch } from "../../host.js";

/** A batch, sorted so that all writers lock in one order, and in lists of bounded size. */
export interface Plan {
  /** JSON lists of `{ key, version }` that must be there. */
  present: string[];
  /** JSON lists of keys that must not be there. */
  absent: string[];
  /** JSON lists of keys to delete. */
  deletes: string[];
  /** JSON lists of keys that must not be there and are not written either. */
  unclaims: string[];
  /** JSON lists of `{ key, value }`. */
  puts: string[];
  /** Records too long for a list. */
  large: { key: string; value: string }[];
}

/** Bytes of one JSON list; D1 takes parameters of up to 2,000,000. */
const LIST_BYTES = 1_000_000;
/** Characters of a value that goes into a list, where each may be escaped into six bytes. */
const LISTED_CHARS = 150_000;

/** Prepares a batch for any dialect. */
export function plan({ checks, puts, deletes }: StoreBatch): Plan {
  const written = new Map(puts.map((put) => [put.key, put]));
  const sorted = [...written.values()].sort(byKey);
  const absent = checks.filter(({ version }) => version === null).map(({ key }) => key);
  return {
    present: jsonLists(checks.filter(({ version }) => version !== null).sort(byKey)),
    absent: jsonLists([...new Set(absent)].sort()),
    deletes: jsonLists([...deletes].sort()),
    unclaims: jsonLists(absent.filter((key) => !written.has(key)).sort()),
    puts: jsonLists(sorted.filter(({ value }) => value.length <= LISTED_CHARS)),
    large: sorted.filter(({ value }) => value.length > LISTED_CHARS),
  };
}

/** JSON lists of the items, in order, each small enough for one parameter. */
export function jsonLists(items: readonly unknown[]): string[] {
  const encoder = new TextEncoder();
  const lists: string[] = [];
  let open: string[] = [];
  let bytes = 0;
  const close = () => {
    if (open.length > 0) {
      lists.push(`[${open.join(",")}]`);
    }
    open = [];
    bytes = 0;
  };
  for (const item of items) {
    const text = JSON.stringify(item);
    const size = encoder.encode(text).length + 1;
    if (bytes + size > LIST_BYTES) {
      close();
    }
    open.push(text);
    bytes += size;
  }
  close();
  return lists;
}

const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1);
