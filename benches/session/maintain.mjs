// `maintain` over many users' memories, by an instance that is new to the store:
// { users, memories, ageDays, importance }.

import { answer, options, summary, timed } from "../lib/measure.mjs";
import { memoryHost, Siltstone, wasmBytes } from "../lib/own.mjs";
import { documents, exported } from "../recall/data.mjs";

const { users, memories, ...age } = options();
const host = memoryHost({ log: () => {} });
const writer = await Siltstone.create({ host });
const list = documents(memories);
for (let user = 0; user < users; user += 1) {
  const name = `user-${String(user).padStart(4, "0")}`;
  await writer.import({ user: name }, exported(list, { now: Date.now(), ...age }));
}
writer.close();

const before = wasmBytes();
const memory = await Siltstone.create({ host });
const slices = [];
const done = { users: 0, promoted: 0, forgotten: 0, evicted: 0 };
let report;
do {
  const { ms, result } = await timed(() => memory.maintain());
  slices.push(ms);
  report = result;
  for (const field of Object.keys(done)) {
    done[field] += report[field];
  }
} while (!report.done);
answer({
  ms: slices.reduce((sum, one) => sum + one, 0),
  slice: summary(slices),
  most: Math.max(...slices),
  grown: (wasmBytes() - before) / 2 ** 20,
  done,
});
