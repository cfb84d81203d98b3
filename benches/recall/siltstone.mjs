// Recall by an instance that is new to a filled store, and by a later one, which finds the first one's
// index there: { file, memories, dimensions, rounds }.

import { readFileSync } from "node:fs";
import { answer, each, options, timed } from "../lib/measure.mjs";
import { fill, memoryHost, Siltstone, wasmBytes } from "../lib/own.mjs";
import { questions, USER, vectorOf } from "./data.mjs";

const { file, memories, dimensions, rounds } = options();
const list = questions(rounds + 1, memories);
const vectors = new Map(
  dimensions > 0 ? list.map((text) => [text, vectorOf(text, dimensions)]) : [],
);
const host = memoryHost();
await fill(host, JSON.parse(readFileSync(file, "utf8")));
const open = async () => {
  const memory = await Siltstone.create({
    host,
    config: { life: { maxHot: 1_000_000 } },
    ...(dimensions > 0 && { embed: async (texts) => texts.map((text) => vectors.get(text)) }),
  });
  await memory.recall({ user: "nobody" }, list[0]);
  return (question) => memory.recall(USER, question, { limit: 10 });
};
const recall = await open();
const first = await timed(() => recall(list[0]));
const warm = await each(list.slice(1), recall);
const megabytes = wasmBytes() / 2 ** 20;
const later = await open();
const stored = await timed(() => later(list[0]));
answer({ first: first.ms, stored: stored.ms, warm, hits: first.result.hits.length, megabytes });
