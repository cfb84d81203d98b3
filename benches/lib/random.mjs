// Texts and vectors that are the same in every run, and of which no two are alike.

import { readFileSync } from "node:fs";

/** Words that are joined from two others, so that there are as many as a person uses. */
const JOINED = 5_000;

export class Dice {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 up to 1 (mulberry32). */
  roll() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit) {
    return Math.floor(this.roll() * limit);
  }

  of(list) {
    return list[this.below(list.length)];
  }

  /** A word; the first of the list come often, as words do. */
  word() {
    return WORDS[Math.floor(WORDS.length ** this.roll()) - 1] ?? WORDS[0];
  }

  sentence(words) {
    return Array.from({ length: words }, () => this.word()).join(" ");
  }

  /** A direction in so many dimensions: no two texts are near one another. */
  vector(dimensions) {
    return Float32Array.from({ length: dimensions }, () => this.roll() * 2 - 1);
  }
}

const WORDS = words();

function words() {
  const texts = ["compress_en", "rules_messages"].flatMap((name) => {
    const file = new URL(`../../tests/data/${name}.json`, import.meta.url);
    return JSON.parse(readFileSync(file, "utf8")).map(({ text }) => text);
  });
  const found = [
    ...new Set(
      texts
        .join(" ")
        .toLowerCase()
        .match(/[a-z]{2,}/g),
    ),
  ];
  const dice = new Dice(1);
  const joined = Array.from({ length: JOINED }, () => dice.of(found) + dice.of(found));
  return [...new Set([...found, ...joined])];
}
