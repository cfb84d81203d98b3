// Counts each text of a JSON array on standard input with the built package: node counts.mjs <encoding>.

import { json } from "node:stream/consumers";

const part = (path) => import(new URL(`../../dist/package/${path}`, import.meta.url));
const [, , encoding] = process.argv;
const [{ Siltstone }, { memoryHost }, { default: vocabulary }] = await Promise.all([
  part("entries/node.js"),
  part("hosts/memory.js"),
  part(`vocab/${encoding}.node.js`),
]);
const memory = await Siltstone.create({
  host: memoryHost(),
  vocabularies: [vocabulary],
  config: { tokens: { encoding } },
});
const counts = [];
for (const text of await json(process.stdin)) {
  counts.push((await memory.countTokens({ text })).tokens);
}
console.log(JSON.stringify(counts));
