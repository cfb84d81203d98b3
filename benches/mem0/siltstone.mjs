// Adds memories one by one and searches them: { baseUrl, memories, searches }.

import { openAiEmbed } from "../../dist/package/embed/openai.js";
import { answer, each, options } from "../lib/measure.mjs";
import { memoryHost, Siltstone } from "../lib/own.mjs";
import { documents, questions, USER } from "../recall/data.mjs";

const { baseUrl, memories, searches } = options();
const memory = await Siltstone.create({
  host: memoryHost(),
  embed: openAiEmbed({ baseUrl, apiKey: "none", model: "stand-in" }),
  config: { life: { maxHot: 1_000_000 } },
});
const [warmUp, ...list] = documents(memories + 1);
await memory.memories({ user: "nobody" }).add({ content: warmUp.content });
const added = await each(list, ({ content }) => memory.memories(USER).add({ content }));
const [first, ...asked] = questions(searches + 1, memories);
await memory.recall(USER, first, { limit: 10 });
let hits = 0;
const searched = await each(asked, async (question) => {
  hits += (await memory.recall(USER, question, { limit: 10 })).hits.length;
});
answer({ added, searched, hits });
