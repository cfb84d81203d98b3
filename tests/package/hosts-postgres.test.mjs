// The host over PostgreSQL: the real one, compiled to WebAssembly, in this process.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { PGlite } from "@electric-sql/pglite";
import { conformance, STORE } from "./shared/conformance.mjs";
import { importFrom, installPackage } from "./support.mjs";

let db;
let postgresHost;
let Siltstone;
let checkHost;
let sql;

before(async () => {
  const folder = installPackage();
  ({ Siltstone } = await importFrom(folder, "siltstone"));
  ({ postgresHost } = await importFrom(folder, "siltstone/hosts/postgres"));
  ({ checkHost } = await importFrom(folder, "siltstone/testing"));
  sql = await importFrom(folder, "siltstone/hosts/sql");
  db = new PGlite();
});

const commit = (store, batch) => store.commit({ checks: [], puts: [], deletes: [], ...batch });

test("it is a host", async () => {
  assert.deepEqual(await conformance(checkHost, () => postgresHost(db), Siltstone), STORE);
});

test("memories and messages can be read with plain SQL", async () => {
  const memory = await Siltstone.create({ host: postgresHost(db) });
  const scope = { tenant: "acme", user: "a'b", session: "c d" };
  await memory.append(scope, [{ id: "x1", role: "user", content: "你好 \u0000", createdAt: 5 }]);
  const { memory: added } = await memory.memories(scope).add({ content: "Likes tea" });
  await memory.memories(scope).pin(added.id);
  const { rows } = await db.query("SELECT * FROM siltstone_memories WHERE tenant = 'acme'");
  const [row] = rows;
  assert.deepEqual(
    [row.id, row.content, row.is_pinned, row.is_valid, row.temperature, row.version, row.user],
    [added.id, "Likes tea", true, true, "hot", 1, "a#27b"],
  );
  const messages = await db.query("SELECT * FROM siltstone_messages WHERE tenant = 'acme'");
  const [message] = messages.rows;
  assert.deepEqual(
    [message.id, message.role, message.content, message.session, message.number],
    ["x1", "user", "你好 \ufffd", "c#20d", 0],
  );
  memory.close();
});

test("a record that PostgreSQL refuses leaves nothing of its commit", async () => {
  const { store } = postgresHost(db);
  await commit(store, { puts: [{ key: "kept", value: "1" }] });
  const puts = [
    { key: "kept", value: "2" },
    { key: "raw", value: "\u0000" },
  ];
  await assert.rejects(commit(store, { puts }), (error) => {
    assert.equal(error.code, "store_failed");
    assert.deepEqual(error.details, { outcome: "not_written" });
    return true;
  });
  const found = await store.get(["kept", "raw"]);
  assert.deepEqual([found[0].value, found[1]], ["1", null]);
});

test("what PostgreSQL undid because of another transaction is tried again, a lost answer is not", async () => {
  await postgresHost(db).store.get(["a"]);
  const faults = ["40P01", "40001"];
  let calls = 0;
  const failing = (next) => ({
    query: async (sql, params) => {
      if (sql.includes("siltstone_commit(")) {
        calls += 1;
        const fault = next();
        if (fault) throw fault;
      }
      return db.query(sql, params);
    },
  });
  const undone = postgresHost(
    failing(() => faults.length > 0 && Object.assign(new Error("undone"), { code: faults.pop() })),
  );
  assert.equal(await commit(undone.store, { puts: [{ key: "again", value: "1" }] }), true);
  assert.equal(calls, 3);
  calls = 0;
  const lost = postgresHost(failing(() => new Error("Connection terminated unexpectedly")));
  await assert.rejects(commit(lost.store, { puts: [{ key: "lost", value: "1" }] }), (error) => {
    assert.equal(error.code, "store_failed");
    assert.deepEqual(error.details, { outcome: "unknown" });
    return true;
  });
  assert.equal(calls, 1);
});

test("the adapter takes any driver, on tables that were made by hand, twice", async () => {
  const other = new PGlite();
  for (const statement of [...sql.schemaOf("postgres"), ...sql.schemaOf("postgres")]) {
    await other.query(statement);
  }
  const query = async (statement) => (await other.query(statement.sql, statement.params)).rows;
  const seen = [];
  const { store } = sql.sqlHost("postgres", {
    query,
    transaction: async ([statement]) => {
      seen.push(statement.sql);
      return query(statement);
    },
  });
  assert.equal(await commit(store, { puts: [{ key: "a", value: "1" }] }), true);
  const checks = [{ key: "a", version: null }];
  assert.equal(await commit(store, { checks, puts: [{ key: "a", value: "2" }] }), false);
  assert.equal((await store.get(["a"]))[0].value, "1");
  assert.ok(seen.every((statement) => statement.startsWith("SELECT siltstone_commit(")));
});

test("a database of a newer version is left alone", async () => {
  await db.query("UPDATE siltstone_meta SET value = 9 WHERE name = 'schema'");
  const another = { query: (sql, params) => db.query(sql, params) };
  await assert.rejects(postgresHost(another).store.get(["a"]), (error) => {
    assert.deepEqual(error.details, { reason: "newer_schema", found: 9, known: 2 });
    return true;
  });
});
