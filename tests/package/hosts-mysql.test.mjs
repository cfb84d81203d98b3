// The host over MySQL's protocol, against a real MariaDB server.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createPool } from "mysql2/promise";
import { startMariaDb } from "./servers.mjs";
import { importFrom, installPackage } from "./support.mjs";

const CONNECTIONS = 8;

let server;
let pool;
let mysqlHost;
let schemaOf;
let testing;
let Siltstone;
let SiltstoneError;

before(async () => {
  const folder = installPackage();
  server = await startMariaDb();
  pool = openPool();
  ({ Siltstone, SiltstoneError } = await importFrom(folder, "siltstone"));
  ({ mysqlHost } = await importFrom(folder, "siltstone/hosts/mysql"));
  ({ schemaOf } = await importFrom(folder, "siltstone/hosts/sql"));
  testing = await importFrom(folder, "siltstone/testing");
});
after(async () => {
  await pool?.end();
  await server?.stop();
});

const openPool = (options = {}) =>
  createPool({ ...server.options, connectionLimit: CONNECTIONS, ...options });
const commit = (store, batch) => store.commit({ checks: [], puts: [], deletes: [], ...batch });

test("many instances that find no tables make them at once", async () => {
  const pools = Array.from({ length: 4 }, () => openPool());
  const stores = pools.map((one) => mysqlHost(one).store);
  const done = await Promise.all(
    stores.map((store, at) => commit(store, { puts: [{ key: `first-${at}`, value: "1" }] })),
  );
  assert.deepEqual(done, [true, true, true, true]);
  await Promise.all(pools.map((one) => one.end()));
});

test("it is a host, over one pool and two", async (t) => {
  const other = openPool();
  t.after(() => other.end());
  let opened = 0;
  const open = () => {
    opened += 1;
    return mysqlHost(opened % 2 === 0 ? pool : other);
  };
  const results = await testing.checkHost(open, { Siltstone });
  assert.deepEqual(
    results.filter(({ status }) => status === "failed"),
    [],
  );
  assert.ok(results.length > 15);
});

test("every statement finds its rows by the primary key, however many there are", async () => {
  const { store } = mysqlHost(pool);
  const puts = Array.from({ length: 2_000 }, (_, at) => ({ key: `plan-${at}`, value: "1" }));
  await commit(store, { puts });
  const seen = [];
  const explaining = {
    execute: async (sql, params) => {
      seen.push({ sql, plan: (await pool.execute(`EXPLAIN ${sql}`, params))[0] });
      return pool.execute(sql, params);
    },
    getConnection: async () => {
      const connection = await pool.getConnection();
      return {
        query: (sql) => connection.query(sql),
        execute: async (sql, params) => {
          seen.push({ sql, plan: (await connection.execute(`EXPLAIN ${sql}`, params))[0] });
          return connection.execute(sql, params);
        },
        release: () => connection.release(),
        destroy: () => connection.destroy(),
      };
    },
  };
  const { store: explained } = mysqlHost(explaining);
  const [entry] = await explained.get(["plan-7"]);
  await explained.range({ start: "plan-1", end: "plan-2", limit: 10, reverse: true });
  const checks = [{ key: "plan-7", version: entry.version }];
  await commit(explained, { checks, puts: [{ key: "plan-8", value: "2" }], deletes: ["plan-9"] });
  const tables = seen.flatMap(({ sql, plan }) => plan.map((row) => ({ sql, ...row })));
  const scans = tables.filter(({ table, type }) => table === "siltstone_kv" && type === "ALL");
  // What is inserted into has no access of its own.
  const reads = scans.filter(({ sql, rows }) => rows !== null && !/^(INSERT|REPLACE)/.test(sql));
  assert.deepEqual(reads, []);
  assert.ok(seen.length >= 6, `${seen.length}`);
});

test("tables that were made by hand, twice, are used as they are", async (t) => {
  await pool.query("CREATE DATABASE byhand");
  const other = openPool({ database: "byhand" });
  t.after(() => other.end());
  for (const statement of [...schemaOf("mysql"), ...schemaOf("mysql")]) {
    await other.query(statement);
  }
  await pool.query("CREATE USER reader@'localhost' IDENTIFIED BY 'r'");
  await pool.query("GRANT SELECT, INSERT, UPDATE, DELETE ON byhand.* TO reader@'localhost'");
  const least = openPool({ database: "byhand", user: "reader", password: "r" });
  t.after(() => least.end());
  const { store } = mysqlHost(least);
  assert.equal(await commit(store, { puts: [{ key: "a", value: "1" }] }), true);
  assert.equal((await store.get(["a"]))[0].value, "1");
});

test("a commit whose answer is lost is told as such, and not tried again", async () => {
  let commits = 0;
  const losing = {
    execute: (sql, params) => pool.execute(sql, params),
    getConnection: async () => {
      const connection = await pool.getConnection();
      return {
        query: async (sql) => {
          const answer = await connection.query(sql);
          if (sql === "COMMIT") {
            commits += 1;
            throw new Error("Connection lost: The server closed the connection.");
          }
          return answer;
        },
        execute: (sql, params) => connection.execute(sql, params),
        release: () => connection.release(),
        destroy: () => connection.destroy(),
      };
    },
  };
  const memory = await Siltstone.create({ host: mysqlHost(losing) });
  const scope = { tenant: "lost", user: "ana", session: "s" };
  await assert.rejects(memory.append(scope, [{ role: "user", content: "hi" }]), (error) => {
    assert.ok(error instanceof SiltstoneError);
    assert.equal(error.code, "store_failed");
    assert.deepEqual(error.details, { outcome: "unknown" });
    assert.match(error.message, /may or may not have been written: Connection lost/);
    return true;
  });
  assert.equal(commits, 1);
  memory.close();
});

test("a record longer than the server's packets is refused, with what to do", async () => {
  const { store } = mysqlHost(pool);
  await commit(store, { puts: [{ key: "packet", value: "1" }] });
  const puts = [
    { key: "packet", value: "2" },
    { key: "packet-long", value: "x".repeat(17_000_000) },
  ];
  await assert.rejects(commit(store, { puts }), (error) => {
    assert.ok(error instanceof SiltstoneError);
    assert.equal(error.code, "too_large");
    assert.match(error.message, /packet-long.*17000000.*max_allowed_packet/);
    return true;
  });
  const found = await store.get(["packet", "packet-long"]);
  assert.deepEqual([found[0].value, found[1]], ["1", null]);
});

test("memories and messages can be read with plain SQL", async () => {
  const memory = await Siltstone.create({ host: mysqlHost(pool) });
  const scope = { tenant: "acme", user: "a'b", session: "c d" };
  await memory.append(scope, [{ id: "x1", role: "user", content: "你好 \u0000", createdAt: 5 }]);
  const { memory: added } = await memory.memories(scope).add({ content: "Likes tea" });
  await memory.memories(scope).pin(added.id);
  const [[row]] = await pool.query("SELECT * FROM siltstone_memories WHERE tenant = 'acme'");
  assert.deepEqual(
    [row.id, row.content, row.is_pinned, row.is_valid, row.temperature, row.version, row.user],
    [added.id, "Likes tea", 1, 1, "hot", 1, "a#27b"],
  );
  const [[message]] = await pool.query("SELECT * FROM siltstone_messages WHERE tenant = 'acme'");
  assert.deepEqual(
    [message.id, message.role, message.content, message.session, message.number],
    ["x1", "user", "你好 \u0000", "c#20d", 0],
  );
  memory.close();
});

test("a database of a newer version is left alone", async (t) => {
  await pool.query("UPDATE siltstone_meta SET value = 9 WHERE name = 'schema'");
  t.after(() => pool.query("UPDATE siltstone_meta SET value = 2 WHERE name = 'schema'"));
  const other = openPool();
  t.after(() => other.end());
  const { store } = mysqlHost(other);
  const newer = (error) => {
    assert.equal(error.code, "store_failed");
    assert.deepEqual(error.details, { reason: "newer_schema", found: 9, known: 2 });
    assert.match(error.message, /Update siltstone/);
    return true;
  };
  await assert.rejects(store.get(["a"]), newer);
  await assert.rejects(commit(store, { puts: [{ key: "newer", value: "1" }] }), newer);
  assert.deepEqual(await mysqlHost(pool).store.get(["newer"]), [null]);
});

describe("a server that is killed in the middle of commits", () => {
  test("leaves nothing half-written, its callers are told, and works on", async () => {
    const { store } = mysqlHost(pool);
    const outcomes = [];
    let isOver = false;
    const writer = async (name) => {
      for (let round = 1; !isOver; round += 1) {
        const puts = ["a", "b", "c"].map((key) => ({
          key: `kill!${name}${key}`,
          value: `${round}`,
        }));
        try {
          outcomes.push([name, round, await commit(store, { puts })]);
        } catch (error) {
          outcomes.push([name, round, error]);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    };
    const writers = Array.from({ length: 6 }, (_, at) => writer(`w${at}`));
    for (let kill = 0; kill < 3; kill += 1) {
      const reached = outcomes.length + 60;
      while (outcomes.length < reached) await new Promise((resolve) => setTimeout(resolve, 5));
      await server.kill();
      const errors = () => outcomes.filter(([, , outcome]) => outcome instanceof Error).length;
      const before = errors();
      while (errors() < before + 6) await new Promise((resolve) => setTimeout(resolve, 5));
      await server.restart();
    }
    const reached = outcomes.length + 30;
    while (outcomes.length < reached) await new Promise((resolve) => setTimeout(resolve, 5));
    isOver = true;
    await Promise.all(writers);

    assert.ok(
      outcomes.slice(-6).some(([, , outcome]) => outcome === true),
      "it does not work on",
    );
    for (const name of ["w0", "w1", "w2", "w3", "w4", "w5"]) {
      const found = await store.get(["a", "b", "c"].map((key) => `kill!${name}${key}`));
      const values = new Set(found.map(({ value }) => value));
      assert.equal(values.size, 1, `${name} is half-written: ${[...values]}`);
      const [value] = values;
      const last = outcomes.filter(([who, , outcome]) => who === name && outcome === true).at(-1);
      const maybe = outcomes.filter(
        ([who, , outcome]) => who === name && outcome?.details?.outcome === "unknown",
      );
      const written = [last[1], ...maybe.map(([, round]) => round)];
      assert.ok(written.includes(Number(value)), `${name} is ${value}, committed: ${written}`);
      assert.ok(Number(value) >= last[1], `${name} lost round ${last[1]}: it is ${value}`);
    }
    for (const [, , outcome] of outcomes.filter(([, , one]) => one !== true)) {
      assert.ok(outcome instanceof Error, `${outcome}`);
      assert.notEqual(outcome.message, "");
    }
  });
});
