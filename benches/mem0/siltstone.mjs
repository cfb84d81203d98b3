// Adds memories one by one and searches them: { baseUrl, memories, searches, more }.

import { openAiEmbed } from "../../dist/package/embed/openai.js";
import { answer, each, options } from "../lib/measure.mjs";
import { memoryHost, Siltstone } from "../lib/own.mjs";
import { documents, questions, USER } from "../recall/data.mjs";

const { baseUrl, memories, searches, more } = options();
const embed = openAiEmbed({ baseUrl, apiKey: "none", model: "stand-in" });
const memory = await Siltstone.create({
  host: memoryHost(),
  embed,
  config: { life: { maxHot: 1_000_000 } },
});
const [warmUp, ...all] = documents(memories + more + 1);
const list = all.splice(0, memories);
await memory.memories({ user: "nobody" }).add({ content: warmUp.content });
const add = ({ content }) => memory.memories(USER).add({ content });
const added = await each(list, add);
const { signal } = new AbortController();
const embedded = await each(list.slice(-more), ({ content }) =>
  embed([content], { timeoutMs: 10_000, signal }),
);
const compared = await each(all, add);
const [first, ...asked] = questions(searches + 1, memories);
await memory.recall(USER, first, { limit: 10 });
let hits = 0;
const searched = await each(asked, async (question) => {
  hits += (await memory.recall(USER, question, { limit: 10 })).hits.length;
});
answer({ added, embedded, compared, searched, hits });
