// A session that uses everything of a host, for recordings of it. It uses nothing of Node, so that the
// same code runs in every runtime.

const START_MS = 1_767_607_200_000;
export const monday = { user: "ana", session: "monday" };
const tuesday = { user: "ana", session: "tuesday" };
const ana = { user: "ana" };

const said = (prefix, texts) =>
  texts.map((content, at) => ({
    id: `${prefix}${at}`,
    role: at % 2 === 0 ? "user" : "assistant",
    content,
    createdAt: START_MS + at,
  }));

const judged = (...contents) =>
  JSON.stringify({
    memories: contents.map((content) => ({
      content,
      category: "profile",
      scope: "user",
      importance: 6,
    })),
  });

/** A bag of letters: enough of an embedding to compare by. */
const vectorOf = (text) => {
  const vector = new Float32Array(26);
  for (const char of text.toLowerCase()) {
    const letter = char.charCodeAt(0) - 97;
    if (letter >= 0 && letter < 26) vector[letter] += 1 / 3;
  }
  return vector;
};

const cosine = (a, b) => {
  const dot = (x, y) => x.reduce((sum, value, at) => sum + value * y[at], 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
};

/** What `create` takes, with every part that there is; each is slow in its own way. */
export function everything(memoryHost) {
  const cache = new Map();
  const items = new Map();
  const soon = (ms = 0) => new Promise((resolve) => setTimeout(resolve, ms));
  let bytes = 0;
  let llmCalls = 0;
  const { store } = memoryHost();
  return {
    host: {
      store: {
        get: async (keys) => {
          await soon(keys.length % 3);
          return store.get(keys);
        },
        range: (range) => store.range(range),
        commit: async (batch) => {
          await soon();
          return store.commit(batch);
        },
      },
      cache: {
        get: async (key) => cache.get(key),
        put: async (key, value) => {
          if (cache.size > 2) throw new Error("the cache is full");
          cache.set(key, value);
        },
      },
      agent: async (_tenant, agent) => (agent === "coach" ? { topK: 2 } : undefined),
      now: () => START_MS,
      random: (length) => Uint8Array.from({ length }, () => (bytes = (bytes * 5 + 3) % 256)),
      log: () => {},
    },
    llm: async ({ purpose }) => {
      llmCalls += 1;
      await soon(2);
      if (purpose !== "judge") return "They talked about Hangzhou.";
      if (llmCalls === 1) return judged("Ana lives in Hangzhou", "Ana is allergic to peanuts");
      throw Object.assign(new Error("overloaded"), { code: "llm_failed" });
    },
    embed: async (texts) => texts.map((text, at) => (at % 2 ? [...vectorOf(text)] : vectorOf(text))),
    vectors: {
      upsert: async (vectors) => {
        for (const item of vectors) items.set(item.id, item);
      },
      query: async ({ namespace, vector }) =>
        [...items.values()]
          .filter((item) => item.namespace === namespace)
          .map((item) => ({ id: item.id, score: cosine(item.vector, vector) })),
      delete: async (_namespace, ids) => {
        for (const id of ids) items.delete(id);
      },
    },
    config: { agent: { longMemory: true, model: "small" } },
  };
}

/** Talks, ends sessions, recalls, maintains, forgets; gives what all the calls gave. */
export async function talk(memory) {
  const memories = memory.memories(ana);
  const results = [];
  const keep = async (result) => results.push(await result);
  await keep(memory.load({ scope: monday, message: "Hi", system: "Be brief." }));
  await keep(memory.append(monday, said("m", ["Hi! I live in Hangzhou.", "Nice."])));
  await keep(memory.append(monday, said("n", ["I'm allergic to peanuts.", "Noted."])));
  await keep(memory.endSession(monday));
  await keep(memory.append(tuesday, said("t", ["I moved to Shanghai. 🙂", "Oh!"])));
  // At the same time: what comes first is up to the host.
  await keep(
    Promise.all([
      memory.endSession(tuesday),
      memory.load({ scope: tuesday, message: "Where do I live?" }),
      memory.recall(ana, "Where does Ana live?"),
      memory.countTokens({ text: "Where do I live?" }),
      memory.fits("Where do I live?", 2),
      memory.memories(ana).add({ content: "Ana plays the violin", tags: ["__proto__", "$x"] }),
      memory.append(monday, said("o", ["Bye", "Bye!"])),
    ]),
  );
  await keep(memory.maintain());
  const { memories: listed } = await memories.list();
  await keep(memories.pin(listed[0].id));
  await keep(memories.forget(listed[0].id, { hard: true }));
  await keep(memories.get(listed[0].id).catch(({ code, path }) => ({ code, path })));
  await keep(memory.recall({ ...ana, agent: "coach" }, "food"));
  const lines = [];
  for await (const line of memory.export(ana)) lines.push(line);
  await keep(lines);
  await keep(memory.forgetUser(ana));
  return results;
}

/** The trace of `talk`, line by line, and what its calls gave. */
export async function recorded(Siltstone, memoryHost, record, options = {}) {
  const lines = [];
  const trace = record({ write: (line) => lines.push(line) });
  const memory = await Siltstone.create({ ...everything(memoryHost), ...options, trace });
  const results = await talk(memory);
  memory.close();
  await trace.flush();
  return { lines, results };
}
