// The conformance suite over D1 and KV, and over the SQLite of one Durable Object, in workerd.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { STORE, STORE_AND_CACHE } from "./shared/conformance.mjs";
import { installPackage, request, root, startWorker } from "./support.mjs";

const CONFORMANCE = JSON.stringify(join(root, "tests/package/shared/conformance.mjs"));
const WORKER = `
import { DurableObject } from "cloudflare:workers";
import { Siltstone } from "siltstone";
import { cloudflareHost } from "siltstone/hosts/cloudflare";
import { durableObjectHost } from "siltstone/hosts/durable-object";
import { checkHost } from "siltstone/testing";
import { conformance } from ${CONFORMANCE};

const told = (error) => ({ error: { code: error.code, message: error.message, details: error.details } });

export class UserMemory extends DurableObject {
  async run({ task, batch, keys, sql }) {
    const open = () => durableObjectHost(this.ctx.storage);
    try {
      if (task === "sql") return this.ctx.storage.sql.exec(sql).toArray();
      if (task === "get") return await open().store.get(keys);
      if (task === "commit") return await open().store.commit(batch);
      return await conformance(checkHost, open, Siltstone);
    } catch (error) {
      return told(error);
    }
  }
}

export default {
  async fetch(request, env) {
    const { where, ...job } = await request.json();
    if (where !== "d1") {
      const id = env.MEMORY.idFromName(where);
      return Response.json(await env.MEMORY.get(id).run(job));
    }
    const open = () => cloudflareHost(env);
    const { task, batch, keys, sql } = job;
    const run = {
      sql: async () => (await env.DB.prepare(sql).all()).results,
      get: () => open().store.get(keys),
      commit: () => open().store.commit(batch),
      conformance: () => conformance(checkHost, open, Siltstone),
      recall: async () => {
        const memory = await Siltstone.create({ host: open(), config: { agent: { longMemory: true, model: "m" } } });
        const { hits } = await memory.recall({ user: "ana" }, "peanuts");
        return hits.map((hit) => hit.memory.content);
      },
    };
    return Response.json(await run[task]().catch(told));
  },
};
`;

const folder = installPackage();
const fixture = JSON.parse(readFileSync(join(root, "tests/data/store-v1.json"), "utf8"));
const options = { durableObjects: { MEMORY: { className: "UserMemory", useSQLite: true } } };

let worker;

async function ask(where, task, fields = {}, at = worker) {
  const body = JSON.stringify({ where, task, ...fields });
  return (await request(at.url, { method: "POST", body })).json();
}
const commit = (where, batch) =>
  ask(where, "commit", { batch: { checks: [], puts: [], deletes: [], ...batch } });

before(async () => {
  worker = await startWorker(folder, WORKER, options);
});
after(() => worker?.dispose());

test("D1 and KV are a host", async () => {
  assert.deepEqual(await ask("d1", "conformance"), STORE_AND_CACHE);
});

test("the SQLite of a Durable Object is a host", async () => {
  assert.deepEqual(await ask("an object", "conformance"), STORE);
});

for (const where of ["d1", "another object"]) {
  test(`a record over 2 MB is refused with what to do: ${where}`, async () => {
    await commit(where, { puts: [{ key: "small", value: "1" }] });
    const puts = [
      { key: "small", value: "2" },
      { key: "long", value: "x".repeat(2_500_000) },
    ];
    const { error } = await commit(where, { puts });
    assert.equal(error.code, "too_large");
    assert.deepEqual(error.details, { key: "long", bytes: 2_500_000 });
    assert.match(error.message, /2,000,000 bytes.*history\.maxMessageChars/);
    const found = await ask(where, "get", { keys: ["small", "long"] });
    assert.deepEqual([found[0].value, found[1]], ["1", null]);
  });
}

describe("a database of the first format, which did not tell its version", () => {
  test("opens, is brought up to date and remembers", async (t) => {
    const old = await startWorker(folder, WORKER, options);
    t.after(() => old.dispose());
    const db = await old.miniflare.getD1Database("DB");
    await db.batch([
      ...fixture.schema.map((sql) => db.prepare(sql)),
      ...fixture.rows.map(({ key, value, version }) =>
        db.prepare("INSERT INTO siltstone_kv VALUES (?1, ?2, ?3)").bind(key, value, version),
      ),
    ]);
    assert.deepEqual(await ask("d1", "recall", {}, old), ["User is allergic to peanuts"]);
    const sql = "SELECT value FROM siltstone_meta WHERE name = 'schema'";
    assert.deepEqual(await ask("d1", "sql", { sql }, old), [{ value: 2 }]);
    const pinned = await ask(
      "d1",
      "sql",
      {
        sql: `SELECT content, temperature, tier, version FROM siltstone_memories
          WHERE is_pinned = 1 AND is_valid = 1`,
      },
      old,
    );
    assert.deepEqual(pinned, [
      {
        content: "Prefers short answers, with examples",
        temperature: "hot",
        tier: "short",
        version: 2,
      },
    ]);
  });

  test("of a newer format is left alone, with what to do", async (t) => {
    const later = await startWorker(folder, WORKER, options);
    t.after(() => later.dispose());
    const db = await later.miniflare.getD1Database("DB");
    await db.batch(
      [
        "CREATE TABLE siltstone_meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL)",
        "INSERT INTO siltstone_meta VALUES ('schema', 3)",
      ].map((sql) => db.prepare(sql)),
    );
    const { error } = await ask("d1", "get", { keys: ["a"] }, later);
    assert.equal(error.code, "store_failed");
    assert.deepEqual(error.details, { reason: "newer_schema", found: 3, known: 2 });
    const tables = "SELECT name FROM sqlite_master WHERE name LIKE 'siltstone%'";
    assert.deepEqual(await ask("d1", "sql", { sql: tables }, later), [{ name: "siltstone_meta" }]);
  });
});
