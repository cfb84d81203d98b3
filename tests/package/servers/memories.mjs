// What the memory services' stand-ins share: memories that are found by the words they hold.

import { randomUUID } from "node:crypto";

export class Memories {
  #all = new Map();

  add(memory) {
    const id = randomUUID();
    const now = new Date().toISOString();
    const kept = { id, createdAt: now, updatedAt: now, ...memory };
    this.#all.set(id, kept);
    return kept;
  }

  get(id) {
    return this.#all.get(id);
  }

  delete(id) {
    return this.#all.delete(id);
  }

  list(isWanted = () => true) {
    return [...this.#all.values()].filter(isWanted);
  }

  /** The best of those that are wanted, best first, with the share of the question's words as score. */
  search(query, limit, isWanted) {
    const asked = words(query);
    return this.list(isWanted)
      .map((memory) => ({ ...memory, score: overlap(asked, words(memory.text)) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  }
}

function words(text) {
  return new Set(text.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? []);
}

function overlap(asked, said) {
  const shared = [...asked].filter((word) => said.has(word)).length;
  return asked.size === 0 ? 0 : shared / asked.size;
}

/**
 * Remembers what was answered to an idempotency key, and answers it again without doing anything;
 * not where `odd.ignoresKeys`.
 */
export function once(odd, handle) {
  const answers = new Map();
  return (request) => {
    const key = request.headers["idempotency-key"];
    if (key === undefined || odd.ignoresKeys) {
      return handle(request);
    }
    const place = `${request.path} ${key}`;
    if (!answers.has(place)) {
      const answer = handle(request);
      if ((answer.status ?? 200) >= 400) {
        return answer;
      }
      answers.set(place, answer);
    }
    return answers.get(place);
  };
}

/** The texts of an add's messages: one memory is made of each. */
export function textsOf(messages) {
  return typeof messages === "string" ? [messages] : messages.map(({ content }) => content);
}
