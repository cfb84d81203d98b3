// How much longer ten times as much of the worst texts takes: node benches/tokens/linear.mjs
// CPU time, the least of several; the last line has the largest ratio as `linear=ratio`. That work grows
// linearly is asserted by counted steps in crates/tokens/src/steps.rs; this only shows times.

const own = (path) => import(new URL(`../../dist/package/${path}`, import.meta.url));
const [{ Siltstone }, { memoryHost }] = await Promise.all([
  own("entries/node.js"),
  own("hosts/memory.js"),
]);
const ROUNDS = 9;
const memory = await Siltstone.create({ host: memoryHost() });
let seed = 1;
const letter = () => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[seed >>> 26];
};
const base64 = Array.from({ length: 200_000 }, letter).join("");
const TEXTS = {
  a: (size) => "a".repeat(size),
  spaces: (size) => " ".repeat(size),
  digits: (size) => "7".repeat(size),
  chinese: (size) => "中文".repeat(size / 2),
  emoji: (size) => "😀".repeat(size / 2),
  base64: (size) => base64.slice(0, size),
};

async function least(text) {
  // Of short texts several, as the clock is coarse.
  const times = Math.ceil(2_000_000 / text.length);
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const from = process.cpuUsage();
    for (let time = 0; time < times; time += 1) {
      await memory.countTokens({ text });
    }
    const { user, system } = process.cpuUsage(from);
    best = Math.min(best, (user + system) / times);
  }
  return best;
}

const table = [];
for (const [name, make] of Object.entries(TEXTS)) {
  const [few, many] = [await least(make(20_000)), await least(make(200_000))];
  table.push({
    name,
    "20,000 µs": few.toFixed(1),
    "200,000 µs": many.toFixed(1),
    ratio: many / few,
  });
}
console.table(table);
console.log(`linear=${Math.max(...table.map(({ ratio }) => ratio)).toFixed(1)}`);
