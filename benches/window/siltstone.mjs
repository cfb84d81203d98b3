// `load` of a session that grows: { messages, turns, maxTokens }.

import { answer, options, summary, timed } from "../lib/measure.mjs";
import { memoryHost, Siltstone } from "../lib/own.mjs";
import { memories, question, talk } from "./talk.mjs";

const { messages, turns, maxTokens } = options();
const scope = { user: "ana", session: "today" };
const host = memoryHost();
const config = {
  agent: { longMemory: true, model: "gpt-4o", contextRounds: messages + turns },
  window: { maxTokens },
};
const create = () => Siltstone.create({ host, config });

// Another instance writes, in whose turns it has counted: the one that is measured has seen nothing.
const writer = await create();
await writer.countTokens({ text: "Hello" });
await writer.import({ user: "ana" }, memories().join("\n"));
for (let at = 0; at < messages; at += 500) {
  await writer.append(scope, talk(at, Math.min(messages, at + 500)));
}
writer.close();

const memory = await create();
await memory.countTokens({ text: "Hello" });
const load = (turn) => timed(() => memory.load({ scope, message: question(turn) }));
const first = await load(0);
const loads = [];
const appends = [];
for (let turn = 1; turn <= turns; turn += 1) {
  const at = messages + 2 * turn;
  appends.push((await timed(() => memory.append(scope, talk(at - 2, at)))).ms);
  loads.push((await load(turn)).ms);
}
const { report, messages: shown } = first.result;
answer({
  first: first.ms,
  turn: summary(loads),
  append: summary(appends),
  shown: shown.length,
  tokens: report.tokens,
});
