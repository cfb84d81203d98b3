// The same with mem0ai/oss: { folder, baseUrl, memories, searches, more }.

import { answer, each, options } from "../lib/measure.mjs";
import { from } from "../lib/peers.mjs";
import { documents, questions } from "../recall/data.mjs";

const { folder, baseUrl, memories, searches, more } = options();
const { Memory } = await from(folder, "mem0ai/oss");
const service = { apiKey: "none", baseURL: baseUrl, model: "stand-in" };
const memory = new Memory({
  embedder: { provider: "openai", config: { ...service, embeddingDims: 384 } },
  llm: { provider: "openai", config: service },
  vectorStore: { provider: "memory", config: { dimension: 384, dbPath: ":memory:" } },
  disableHistory: true,
});
const add = (userId, { content }) => memory.add(content, { userId, infer: false });
const search = (question) => memory.search(question, { filters: { user_id: "ana" }, topK: 10 });
const [warmUp, ...all] = documents(memories + more + 1);
const list = all.splice(0, memories);
await add("nobody", warmUp);
const added = await each(list, (document) => add("ana", document));
const embedded = await each(list.slice(-more), ({ content }) => memory.embedder.embed(content));
// What its `infer: true` does before it asks a language model: look for what is stored and alike.
const compared = await each(all, async (document) => {
  const vector = await memory.embedder.embed(document.content, "search");
  await memory.vectorStore.search(vector, 10, { user_id: "ana" });
  await add("ana", document);
});
const [first, ...asked] = questions(searches + 1, memories);
await search(first);
let hits = 0;
const searched = await each(asked, async (question) => {
  hits += (await search(question)).results.length;
});
answer({ added, embedded, compared, searched, hits });
