// What a vector store is for: memories are recalled by what they mean, each user's own only, and what
// is forgotten, superseded or archived leaves the store.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite/vector";
import { startMilvus } from "./servers/milvus.mjs";
import { startQdrant } from "./servers/qdrant.mjs";
import { VectorizeStandIn } from "./servers/vectorize.mjs";
import { importFrom, installPackage } from "./support.mjs";

const folder = installPackage();
const load = (specifier) => importFrom(folder, specifier);
const { Siltstone } = await load("siltstone");
const { memoryHost } = await load("siltstone/hosts/memory");
const { pgvector } = await load("siltstone/vectors/pgvector");
const { vectorize } = await load("siltstone/vectors/vectorize");
const { qdrant } = await load("siltstone/vectors/qdrant");
const { milvus } = await load("siltstone/vectors/milvus");

/** Words of one meaning; what has none of these has a meaning of its own. */
const MEANINGS = [/tea|drink|hot beverage/i, /dog|pet|animal/i, /Berlin|city|town/i];

async function embed(texts) {
  return texts.map((text) => {
    const meant = MEANINGS.map((words) => (words.test(text) ? 1 : 0));
    return Float32Array.of(...meant, meant.includes(1) ? 0.1 : 1);
  });
}

/** Each store, with what settles it and how many vectors it holds. */
const STORES = {
  async pgvector() {
    const db = await PGlite.create({ extensions: { vector } });
    const count = async () => {
      const { rows } = await db.query("SELECT count(*)::int AS n FROM siltstone_vectors");
      return rows[0].n;
    };
    return { vectors: pgvector(db), count, close: () => db.close() };
  },
  async Vectorize() {
    const index = new VectorizeStandIn(4);
    return {
      vectors: vectorize(index),
      settle: () => index.settle(),
      count: async () => index.size,
    };
  },
  async Qdrant() {
    const server = await startQdrant();
    const count = async () => server.collections.get("siltstone").points.size;
    return { vectors: qdrant({ baseUrl: server.url }), count, close: server.close };
  },
  async Milvus() {
    const server = await startMilvus();
    const count = async () => server.collections.get("default/siltstone").entities.size;
    return { vectors: milvus({ baseUrl: server.url }), count, close: server.close };
  },
};

for (const [name, start] of Object.entries(STORES)) {
  describe(`with ${name}`, () => {
    let store;
    let memory;
    before(async () => {
      store = await start();
      memory = await Siltstone.create({
        host: memoryHost(),
        embed,
        vectors: store.vectors,
        config: { agent: { longMemory: true, model: "gpt-4o" } },
      });
    });
    after(async () => {
      memory?.close();
      await store?.close?.();
    });
    const settled = async (work) => {
      const done = await work;
      await store.settle?.();
      return done;
    };
    const contents = async (user, query) => {
      const { hits } = await memory.recall({ user }, query);
      return hits.map((hit) => hit.memory.content);
    };

    test("memories are found by what they mean, in their own user's only", async () => {
      const ana = memory.memories({ user: "ana" });
      const eve = memory.memories({ user: "eve" });
      await settled(ana.add({ content: "Enjoys tea in the morning", category: "preference" }));
      await settled(ana.add({ content: "Has a dog called Bo", category: "social" }));
      await settled(eve.add({ content: "Never takes tea", category: "preference" }));
      assert.equal(await store.count(), 3);
      assert.deepEqual(await contents("ana", "Which hot beverage?"), ["Enjoys tea in the morning"]);
      assert.deepEqual(await contents("eve", "Which hot beverage?"), ["Never takes tea"]);
      assert.deepEqual(await contents("ana", "Any animal?"), ["Has a dog called Bo"]);
    });

    test("what is forgotten leaves the store", async () => {
      const ana = memory.memories({ user: "ana" });
      const { memories } = await ana.list();
      const dog = memories.find(({ content }) => /dog/.test(content));
      await settled(ana.forget(dog.id));
      assert.equal(await store.count(), 2);
      assert.deepEqual(await contents("ana", "Any animal?"), []);
      await settled(ana.restore(dog.id));
      assert.deepEqual(await contents("ana", "Any animal?"), ["Has a dog called Bo"]);
    });
  });
}
