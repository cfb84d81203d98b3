// The cache over a real Redis server, through both clients, in front of a real MariaDB.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createClient } from "@redis/client";
import { Redis } from "ioredis";
import { createPool } from "mysql2/promise";
import { startMariaDb, startRedis } from "./servers.mjs";
import { conformance, STORE_AND_CACHE } from "./shared/conformance.mjs";
import { importFrom, installPackage } from "./support.mjs";

const HOUR_MS = 3_600_000;

let redis;
let mariaDb;
let pool;
let redisCache;
let mysqlHost;
let memoryHost;
let Siltstone;
let checkHost;

before(async () => {
  const folder = installPackage();
  [redis, mariaDb] = await Promise.all([startRedis(), startMariaDb()]);
  pool = createPool({ ...mariaDb.options, connectionLimit: 8 });
  ({ Siltstone } = await importFrom(folder, "siltstone"));
  ({ redisCache } = await importFrom(folder, "siltstone/hosts/redis"));
  ({ mysqlHost } = await importFrom(folder, "siltstone/hosts/mysql"));
  ({ memoryHost } = await importFrom(folder, "siltstone/hosts/memory"));
  ({ checkHost } = await importFrom(folder, "siltstone/testing"));
});
after(async () => {
  await pool?.end();
  await Promise.all([redis?.stop(), mariaDb?.stop()]);
});

/** Each client as its users set it up: commands are not kept for later while it is down. */
const CLIENTS = {
  ioredis: async () => {
    const client = new Redis(redis.port, "127.0.0.1", {
      enableOfflineQueue: false,
      lazyConnect: true,
    });
    client.on("error", () => {});
    await client.connect();
    return { client, close: () => client.disconnect() };
  },
  "node-redis": async () => {
    const client = createClient({
      socket: { host: "127.0.0.1", port: redis.port },
      disableOfflineQueue: true,
    });
    client.on("error", () => {});
    await client.connect();
    return { client, close: () => client.destroy() };
  },
};

for (const [name, connect] of Object.entries(CLIENTS)) {
  test(`with ${name}, it is the cache of a host`, async (t) => {
    const { client, close } = await connect();
    t.after(close);
    const host = memoryHost({ cache: redisCache(client) });
    assert.deepEqual(await conformance(checkHost, () => host, Siltstone), STORE_AND_CACHE);
  });

  test(`with ${name}, an outage is an error, not a wait, and it works on afterwards`, async (t) => {
    const { client, close } = await connect();
    t.after(close);
    const log = [];
    const cache = redisCache(client, { timeoutMs: 200 });
    const host = memoryHost({ cache, log: (event) => log.push(event.event) });
    const memory = await Siltstone.create({ host });
    const scope = { user: "ana", session: "monday" };
    const append = (content) =>
      memory.append(scope, [
        { role: "user", content },
        { role: "assistant", content: "…" },
      ]);
    const contents = async () => {
      const { messages } = await memory.load({ scope, message: "next" });
      return messages.filter(({ role }) => role === "user").map(({ content }) => content);
    };
    await append("one");

    redis.pause();
    await assert.rejects(cache.get("k"), /did not answer within 200 ms/);
    await append("two");
    assert.deepEqual(await contents(), ["one", "two", "next"]);
    redis.resume();

    await redis.stop();
    await assert.rejects(cache.put("k", "v", HOUR_MS));
    await append("three");
    assert.deepEqual(await contents(), ["one", "two", "three", "next"]);
    assert.ok(log.includes("cache_failed"), `${log}`);

    await redis.restart();
    for (let attempt = 0; ; attempt += 1) {
      try {
        await cache.put("k", "v", HOUR_MS);
        break;
      } catch (error) {
        assert.ok(attempt < 200, error);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    assert.equal(await cache.get("k"), "v");
    assert.deepEqual(await contents(), ["one", "two", "three", "next"]);
    memory.close();
  });
}

test("Redis in front of MariaDB is a host", async (t) => {
  const { client, close } = await CLIENTS.ioredis();
  t.after(close);
  const open = () => ({ ...mysqlHost(pool), cache: redisCache(client) });
  assert.deepEqual(await conformance(checkHost, open, Siltstone), STORE_AND_CACHE);
});
