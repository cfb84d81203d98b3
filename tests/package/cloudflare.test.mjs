// The host over D1 and KV, in workerd and over HTTP.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { installPackage, request, startWorker } from "./support.mjs";

const WORKER = `
import { cloudflareHost, schema } from "siltstone/hosts/cloudflare";

export default {
  async fetch(request, env) {
    const { part, method, args } = await request.json();
    if (part === "sql") {
      const { results } = await env.DB.prepare(args[0]).all();
      return Response.json({ value: results });
    }
    if (part === "schema") {
      await env.DB.batch(schema.map((sql) => env.DB.prepare(sql)));
      return Response.json({ value: schema.length });
    }
    try {
      const value = await cloudflareHost(env)[part][method](...args);
      return Response.json({ value: value ?? null });
    } catch (error) {
      return Response.json({ error: error.message }, { status: 500 });
    }
  },
};
`;

let worker;

async function ask(part, method, ...args) {
  const response = await request(worker.url, {
    method: "POST",
    body: JSON.stringify({ part, method, args }),
  });
  const { value, error } = await response.json();
  if (error !== undefined) {
    throw new Error(error);
  }
  return value;
}

const get = (...keys) => ask("store", "get", keys);
const range = (start, end, options = {}) =>
  ask("store", "range", { start, end, limit: 1000, reverse: false, ...options });
const commit = (batch) => ask("store", "commit", { checks: [], puts: [], deletes: [], ...batch });
const put = (key, value) => commit({ puts: [{ key, value }] });
const versionOf = async (key) => (await get(key))[0]?.version ?? null;

before(async () => {
  worker = await startWorker(installPackage(), WORKER);
});
after(() => worker?.dispose());

describe("D1 as the store", () => {
  test("reads and writes a database that is still empty", async () => {
    assert.deepEqual(await get("empty"), [null]);
    assert.equal(await put("first", "1"), true);
    assert.equal((await get("first"))[0].value, "1");
  });

  test("answers get in the order of the keys, twice for a key that is named twice", async () => {
    await commit({
      puts: [
        { key: "order-a", value: "a" },
        { key: "order-b", value: "b" },
      ],
    });
    const found = await get("order-b", "order-none", "order-a", "order-b");
    assert.deepEqual(
      found.map((entry) => entry?.value ?? null),
      ["b", null, "a", "b"],
    );
    assert.deepEqual(await get(), []);
  });

  test("commits only when every check holds, and else changes nothing", async () => {
    await put("cas", "1");
    const version = await versionOf("cas");
    const checks = [
      { key: "cas", version },
      { key: "cas-none", version: null },
    ];
    assert.equal(await commit({ checks, puts: [{ key: "cas", value: "2" }] }), true);
    assert.equal(
      await commit({
        checks,
        puts: [
          { key: "cas", value: "3" },
          { key: "cas-other", value: "3" },
        ],
        deletes: ["first"],
      }),
      false,
    );
    assert.deepEqual(
      (await get("cas", "cas-other", "first")).map((entry) => entry?.value ?? null),
      ["2", null, "1"],
    );
    assert.equal(await commit({ checks: [{ key: "cas", version: null }] }), false);
    assert.equal(await commit({ checks: [{ key: "cas-none", version: "x" }] }), false);
  });

  test("gives every write a version that was never there before", async () => {
    const versions = new Set();
    for (let round = 0; round < 5; round += 1) {
      await put("aba", "same");
      versions.add(await versionOf("aba"));
      await commit({ deletes: ["aba"] });
      assert.deepEqual(await get("aba"), [null]);
    }
    assert.equal(versions.size, 5);
  });

  test("lets one of many parallel writers win", async () => {
    await put("race", "start");
    const version = await versionOf("race");
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        commit({
          checks: [{ key: "race", version }],
          puts: [
            { key: "race", value: `${index}` },
            { key: `race-${index}`, value: "won" },
          ],
        }),
      ),
    );
    const winner = results.indexOf(true);
    assert.equal(results.filter(Boolean).length, 1);
    assert.equal((await get("race"))[0].value, `${winner}`);
    assert.deepEqual(
      (await range("race-", "race.")).map(({ key }) => key),
      [`race-${winner}`],
    );
  });

  test("counts to the right sum when parallel writers try again", async () => {
    const increment = async () => {
      for (;;) {
        const [entry] = await get("counter");
        const checks = [{ key: "counter", version: entry?.version ?? null }];
        const value = `${Number(entry?.value ?? 0) + 1}`;
        if (await commit({ checks, puts: [{ key: "counter", value }] })) {
          return;
        }
      }
    };
    await Promise.all(Array.from({ length: 12 }, increment));
    assert.equal((await get("counter"))[0].value, "12");
  });

  test("reads ranges in the order of bytes, both ways, up to the limit", async () => {
    const keys = Array.from({ length: 1000 }, (_, n) => `range!${String(n).padStart(4, "0")}`);
    assert.equal(await commit({ puts: keys.map((key) => ({ key, value: key })) }), true);
    const all = await range("range!", 'range"', { limit: 5000 });
    assert.deepEqual(
      all.map(({ key }) => key),
      keys,
    );
    const last = await range("range!", 'range"', { limit: 3, reverse: true });
    assert.deepEqual(
      last.map(({ key }) => key),
      ["range!0999", "range!0998", "range!0997"],
    );
    const middle = await range("range!0500", "range!0502");
    assert.deepEqual(
      middle.map(({ key }) => key),
      ["range!0500", "range!0501"],
    );
    await commit({ puts: ["s#", "s!", "sA", "sa", "s~", "s"].map((key) => ({ key, value: "" })) });
    assert.deepEqual(
      (await range("s", "t")).map(({ key }) => key),
      ["s", "s!", "s#", "sA", "sa", "s~"],
    );
  });

  test("keeps long and unusual values as they are", async () => {
    const values = {
      long: JSON.stringify("x".repeat(300_000)),
      quotes: JSON.stringify('"\\'.repeat(50_000)),
      unicode: JSON.stringify("你好 👩‍👩‍👧‍👦 é é \u2028 \u0000 ' \" ; -- ?1 🇨🇳"),
      chinese: JSON.stringify("记".repeat(200_000)),
    };
    const puts = Object.entries(values).map(([key, value]) => ({ key: `value-${key}`, value }));
    assert.equal(await commit({ puts }), true);
    const found = await get(...puts.map(({ key }) => key));
    assert.deepEqual(
      found.map(({ value }) => value),
      Object.values(values),
    );
  });

  test("writes nothing of a batch that the database refuses", async () => {
    const puts = [
      { key: "refused-small", value: "1" },
      { key: "refused-large", value: "x".repeat(3_000_000) },
    ];
    await assert.rejects(commit({ puts, deletes: ["first"] }));
    assert.deepEqual(
      (await get("refused-small", "refused-large", "first")).map((entry) => entry?.value ?? null),
      [null, null, "1"],
    );
  });

  test("shows memories and messages to plain SQL, whatever the ids", async () => {
    await ask("schema");
    const memory = { id: "m1", content: "likes tea", category: "preference", isValid: true };
    const message = { id: "x1", role: "user", content: [{ type: "text", text: "hi" }] };
    await commit({
      puts: [
        { key: "s1!acme!a\\b!memory!m1", value: JSON.stringify({ v: 1, d: memory }) },
        {
          key: "s1!acme!ada!message!c#20d!0000000000000007",
          value: JSON.stringify({ v: 1, d: message }),
        },
        { key: "s1!acme!ada!memory-head", value: JSON.stringify({ v: 1, d: {} }) },
      ],
    });
    const memories = await ask("sql", "", "SELECT * FROM siltstone_memories");
    assert.equal(memories.length, 1);
    const { tenant, user, content, category, is_valid } = memories[0];
    assert.deepEqual(
      { tenant, user, content, category, is_valid },
      { tenant: "acme", user: "a\\b", content: "likes tea", category: "preference", is_valid: 1 },
    );
    const messages = await ask("sql", "", "SELECT * FROM siltstone_messages");
    assert.equal(messages.length, 1);
    assert.equal(messages[0].session, "c#20d");
    assert.equal(messages[0].number, 7);
    assert.deepEqual(JSON.parse(messages[0].content), message.content);
  });
});

describe("KV as the cache", () => {
  const cache = (method, ...args) => ask("cache", method, ...args);

  test("keeps and replaces", async () => {
    assert.equal(await cache("get", "k"), null);
    await cache("put", "k", "一", 3_600_000);
    await cache("put", "k", "二", 3_600_000);
    assert.equal(await cache("get", "k"), "二");
  });

  test("forgets what it cannot keep for so short a time, rather than give an older value", async () => {
    await cache("put", "short", "old", 3_600_000);
    await cache("put", "short", "new", 1_000);
    assert.equal(await cache("get", "short"), null);
  });

  test("leaves out keys that KV refuses", async () => {
    const key = "k".repeat(513);
    await cache("put", key, "v", 3_600_000);
    assert.equal(await cache("get", key), null);
  });
});
