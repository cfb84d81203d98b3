// Counts the calls into the module and out of it that one call of the package costs.

import { answer } from "../lib/measure.mjs";
import { memories, question, talk } from "../window/talk.mjs";

let calls = { in: 0, out: 0 };
const counted = (functions, way) =>
  Object.fromEntries(
    Object.entries(functions).map(([name, value]) => [
      name,
      typeof value !== "function"
        ? value
        : (...given) => {
            calls[way] += 1;
            return value(...given);
          },
    ]),
  );
const { Instance } = WebAssembly;
// The exports of an instance cannot be replaced: another object stands for it.
WebAssembly.Instance = function CountedInstance(module, imports) {
  const wrapped = Object.entries(imports).map(([name, list]) => [name, counted(list, "out")]);
  const { exports } = new Instance(module, Object.fromEntries(wrapped));
  return { exports: counted(exports, "in") };
};
const { memoryHost, Siltstone } = await import("../lib/own.mjs");

const scope = { user: "ana", session: "today" };
const memory = await Siltstone.create({
  host: memoryHost(),
  config: { agent: { longMemory: true, model: "gpt-4o", contextRounds: 200 } },
});
await memory.import({ user: "ana" }, memories().join("\n"));
await memory.append(scope, talk(0, 200));
const load = (turn) => memory.load({ scope, message: question(turn) });
await load(0);

const result = {};
async function count(name, work) {
  calls = { in: 0, out: 0 };
  await work();
  result[name] = calls;
}
await count("load of 200 messages, 50 memories", () => load(1));
await count("append of 2 messages", () => memory.append(scope, talk(200, 202)));
await count("recall among 50 memories", () => memory.recall({ user: "ana" }, question(2)));
await count("memories.add", () =>
  memory.memories({ user: "ana" }).add({ content: "Plays the viola" }),
);
await count("countTokens of a text", () => memory.countTokens({ text: "Hello" }));
answer(result);
