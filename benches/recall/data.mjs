// Memories of one user, questions about them, and a vector for each text.

import { Dice } from "../lib/random.mjs";

export const USER = { user: "ana" };
const SESSION = 25;
const DAY_MS = 86_400_000;

const text = (number) => `User ${new Dice(3e6 + number).sentence(16)}`;

export const documents = (count) =>
  Array.from({ length: count }, (_, number) => ({
    id: `memory-${String(number).padStart(6, "0")}`,
    content: text(number),
  }));

/** Each takes some words from a memory, and some that are anybody's. */
export const questions = (count, memories) =>
  Array.from({ length: count }, (_, number) => {
    const dice = new Dice(4e6 + number);
    const known = text(dice.below(memories)).split(" ").slice(6, 11).join(" ");
    return `What did I say about ${known} and ${dice.sentence(3)}?`;
  });

/** Each text's own direction. */
export function vectorOf(text, dimensions) {
  let hash = 0;
  for (const char of text) {
    hash = (Math.imul(hash, 31) + char.codePointAt(0)) >>> 0;
  }
  return new Dice(hash).vector(dimensions);
}

/** Lines of an export with these memories and, if they have dimensions, their vectors. */
export function* exported(list, { dimensions = 0, now, ageDays = 1, importance = 5 }) {
  for (const [number, { id, content }] of list.entries()) {
    const at = now - ageDays * DAY_MS - number;
    const memory = {
      ...{ id, content, createdAt: at, lastAccessAt: at, observedAt: at, weight: 1 },
      ...{ importance, category: "other", scope: "user", version: 1, isValid: true },
      ...{ sessionId: `s${Math.floor(number / SESSION)}`, position: number % SESSION },
      messageIds: [`${id}-m`],
    };
    yield `${JSON.stringify({ kind: "memory", memory })}\n`;
    if (dimensions > 0) {
      const bytes = Int8Array.from(vectorOf(content, dimensions), (one) => Math.round(127 * one));
      const q = Buffer.from(bytes.buffer).toString("base64").replaceAll("=", "");
      yield `${JSON.stringify({ kind: "vector", id, q })}\n`;
    }
  }
}
