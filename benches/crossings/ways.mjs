// The ways of values into a module and out of it: { glue, rounds }.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { answer, cpuMs, options, summary } from "../lib/measure.mjs";
import { documents, exported, vectorOf } from "../recall/data.mjs";
import { question, talk } from "../window/talk.mjs";

const { glue, rounds } = options();
const ways = await import(pathToFileURL(`${glue}/ways.js`));
ways.initSync({ module: new WebAssembly.Module(readFileSync(`${glue}/ways_bg.wasm`)) });

const scope = { user: "ana", session: "today" };
const lines = [...exported(documents(1_000), { now: 1_767_000_000_000 })].map(JSON.parse);
const VALUES = {
  "a turn's request": { scope, message: question(0) },
  "20 messages": { scope, messages: talk(0, 20) },
  "200 messages": { scope, messages: talk(0, 200) },
  "10 memories": { memories: lines.slice(0, 10) },
  "1,000 memories": { scope, lines },
};

/** µs of one: as many in a row as take some milliseconds. */
function micros(work) {
  let repeats = 1;
  for (let spent = 0; spent < 4; repeats *= 2) {
    const from = cpuMs();
    for (let at = 0; at < repeats; at += 1) {
      work();
    }
    spent = cpuMs() - from;
  }
  const times = Array.from({ length: rounds }, () => {
    const from = cpuMs();
    for (let at = 0; at < repeats; at += 1) {
      work();
    }
    return (1_000 * (cpuMs() - from)) / repeats;
  });
  return summary(times);
}

const values = Object.entries(VALUES).map(([name, value]) => {
  const text = JSON.stringify(value);
  const kept = new ways.Answer(text);
  if (JSON.stringify(JSON.parse(kept.outAsText())) !== JSON.stringify(kept.outByParts())) {
    throw new Error("the ways give different values");
  }
  return {
    name,
    bytes: Buffer.byteLength(text),
    inText: micros(() => ways.inAsText(JSON.stringify(value))),
    inParts: micros(() => ways.inByParts(value)),
    outText: micros(() => JSON.parse(kept.outAsText())),
    outParts: micros(() => kept.outByParts()),
  };
});
const vectors = [384, 1_536].map((dimensions) => {
  const floats = vectorOf("a text", dimensions);
  const numbers = Array.from(floats);
  return {
    dimensions,
    floats: micros(() => ways.inAsFloats(floats)),
    numbers: micros(() => ways.inByNumbers(numbers)),
    text: micros(() => ways.inAsNumbersText(JSON.stringify(numbers))),
  };
});
answer({ values, vectors });
