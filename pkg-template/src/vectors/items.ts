import type { VectorItem } from "../host.js";

/** Lists of up to `size` items; of several with one id only the last, as if written in order. */
export function batches(items: readonly VectorItem[], size: number): VectorItem[][] {
  const latest = new Map<string, VectorItem>();
  for (const item of items) {
    latest.set(item.id, item);
  }
  return chunks([...latest.values()], size);
}

/** Lists of up to `size` of these, in order. */
export function chunks<T>(all: readonly T[], size: number): T[][] {
  const lists: T[][] = [];
  for (let at = 0; at < all.length; at += size) {
    lists.push(all.slice(at, at + size));
  }
  return lists;
}

/** Best first, and the same order every time. */
export function ranked(
  matches: { id: string; score: number }[],
  topK: number,
): { id: string; score: number }[] {
  return matches.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, topK);
}
