// The session that both sides get, and the memories of its user.

import { Dice } from "../lib/random.mjs";

const WORDS = 40;
export const MEMORIES = 50;

/** Messages of a session from one number up to another. */
export function talk(from, to) {
  return Array.from({ length: to - from }, (_, at) => {
    const number = from + at;
    const role = number % 2 === 0 ? "user" : "assistant";
    return { id: `m${number}`, role, content: new Dice(number).sentence(WORDS) };
  });
}

const fact = (number) => `User keeps ${new Dice(2e6 + number).sentence(12)}`;

/** What the person says in a turn: half of it is in a memory. */
export function question(turn) {
  const dice = new Dice(1e6 + turn);
  const known = fact(dice.below(MEMORIES)).split(" ").slice(-6).join(" ");
  return `What about ${dice.sentence(6)} and ${known}?`;
}

/** Lines of an export with the user's memories. */
export function memories() {
  const at = Date.now() - 86_400_000;
  return Array.from({ length: MEMORIES }, (_, number) => {
    const content = fact(number);
    const memory = {
      ...{ id: `memory-${number}`, content, createdAt: at, lastAccessAt: at, observedAt: at },
      ...{ weight: 1, importance: 3 + (number % 7), category: "other", scope: "user", version: 1 },
      ...{ isValid: true, messageIds: [] },
    };
    return JSON.stringify({ kind: "memory", memory });
  });
}
