// The same with mem0ai/oss: { folder, baseUrl, memories, searches }.

import { answer, each, options } from "../lib/measure.mjs";
import { from } from "../lib/peers.mjs";
import { documents, questions } from "../recall/data.mjs";

const { folder, baseUrl, memories, searches } = options();
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
const [warmUp, ...list] = documents(memories + 1);
await add("nobody", warmUp);
const added = await each(list, (document) => add("ana", document));
const [first, ...asked] = questions(searches + 1, memories);
await search(first);
let hits = 0;
const searched = await each(asked, async (question) => {
  hits += (await search(question)).results.length;
});
answer({ added, searched, hits });
