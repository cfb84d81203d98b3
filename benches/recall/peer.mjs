// The same in plain JavaScript: minisearch over the texts and, for hybrid recall, cosines over
// Float32Arrays, both rankings fused by reciprocal rank: { folder, memories, dimensions, rounds }.

import { answer, each, options, timed } from "../lib/measure.mjs";
import { from } from "../lib/peers.mjs";
import { documents, questions, vectorOf } from "./data.mjs";

const { folder, memories, dimensions, rounds } = options();
const MiniSearch = (await from(folder, "minisearch")).default;
const LIMIT = 10;
/** How many of each ranking are fused. */
const DEEP = 100;
const RANK = 60;

const list = questions(rounds + 1, memories);
const asked = new Map(list.map((text) => [text, unit(vectorOf(text, dimensions))]));
// What a store gives: texts of JSON, and vectors side by side.
const records = documents(memories).map((document) => JSON.stringify(document));
const vectors = new Float32Array(memories * dimensions);
for (const [at, { content }] of (dimensions > 0 ? documents(memories) : []).entries()) {
  vectors.set(unit(vectorOf(content, dimensions)), at * dimensions);
}

const FIELDS = { fields: ["content"], storeFields: ["content"] };
let index;
let ids;
const open = () => {
  const parsed = records.map((record) => JSON.parse(record));
  ids = parsed.map(({ id }) => id);
  index = new MiniSearch(FIELDS);
  index.addAll(parsed);
};

function unit(vector) {
  const length = Math.sqrt(vector.reduce((sum, one) => sum + one * one, 0));
  return vector.map((one) => one / length);
}

function near(vector) {
  const scores = new Float32Array(memories);
  for (let at = 0; at < memories; at += 1) {
    const start = at * dimensions;
    let dot = 0;
    for (let i = 0; i < dimensions; i += 1) {
      dot += vectors[start + i] * vector[i];
    }
    scores[at] = dot;
  }
  const order = Uint32Array.from(scores, (_, at) => at);
  return Array.from(order.sort((a, b) => scores[b] - scores[a]).subarray(0, DEEP), (at) => ids[at]);
}

function search(question) {
  const words = index.search(question);
  if (dimensions === 0) {
    return words.slice(0, LIMIT);
  }
  const rankings = [words.slice(0, DEEP).map(({ id }) => id), near(asked.get(question))];
  const fused = new Map();
  for (const ranking of rankings) {
    for (const [at, id] of ranking.entries()) {
      fused.set(id, (fused.get(id) ?? 0) + 1 / (RANK + at));
    }
  }
  return [...fused].sort(([, a], [, b]) => b - a).slice(0, LIMIT);
}

globalThis.gc?.();
const before = process.memoryUsage();
const first = await timed(() => {
  open();
  return search(list[0]);
});
globalThis.gc?.();
const after = process.memoryUsage();
const warm = await each(list.slice(1), search);
const saved = JSON.stringify(index);
const stored = await timed(() => {
  index = MiniSearch.loadJSON(saved, FIELDS);
  return search(list[0]);
});
answer({
  first: first.ms,
  stored: stored.ms,
  warm,
  hits: first.result.length,
  megabytes: (after.heapUsed - before.heapUsed + vectors.byteLength) / 2 ** 20,
});
