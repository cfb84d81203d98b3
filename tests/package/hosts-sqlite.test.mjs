// The host over SQLite: `node:sqlite` in Node.js 24, and Bun's own database.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { promisify } from "node:util";
import { node24, temporaryFolder } from "./servers.mjs";
import { STORE } from "./shared/conformance.mjs";
import { installPackage, root } from "./support.mjs";

const SHARED = JSON.stringify(join(root, "tests/package/shared/conformance.mjs"));
const FIXTURE = join(root, "tests/data/store-v1.json");
// The package's own launcher needs an install script, which the tests do not run.
const bun = join(root, `node_modules/@oven/bun-${process.platform}-${process.arch}/bin/bun`);

/** How each runtime opens a file. */
const DRIVERS = {
  "node:sqlite": [
    node24,
    'import { DatabaseSync } from "node:sqlite"; const openFile = (file) => new DatabaseSync(file);',
  ],
  "bun:sqlite": [
    bun,
    'import { Database } from "bun:sqlite"; const openFile = (file) => new Database(file);',
  ],
};

let folder;

before(() => {
  folder = installPackage();
});

/** Runs code that has `openFile`, `open` and `file`; gives what its last line prints as JSON. */
async function run(driver, file, code) {
  const [program, openFile] = DRIVERS[driver];
  const script = join(folder, `${Math.random().toString(36).slice(2)}.mjs`);
  writeFileSync(
    script,
    `import { Siltstone } from "siltstone";
    import { sqliteHost } from "siltstone/hosts/sqlite";
    import { checkHost } from "siltstone/testing";
    import { conformance } from ${SHARED};
    ${openFile}
    const file = ${JSON.stringify(file)};
    const open = () => sqliteHost(openFile(file));
    const commit = (store, batch) => store.commit({ checks: [], puts: [], deletes: [], ...batch });
    const config = { agent: { longMemory: true, model: "m" } };
    ${code}`,
  );
  const options = { cwd: folder, timeout: 120_000 };
  const { stdout } = await promisify(execFile)(program, [script], options);
  return JSON.parse(stdout.trim().split("\n").at(-1));
}

for (const driver of Object.keys(DRIVERS)) {
  test(`${driver} is a host, over a file and several connections`, async () => {
    const file = join(temporaryFolder(), "memory.db");
    const code = "console.log(JSON.stringify(await conformance(checkHost, open, Siltstone)));";
    assert.deepEqual(await run(driver, file, code), STORE);
  });
}

test("processes that write the same file at once lose nothing", async () => {
  const file = join(temporaryFolder(), "memory.db");
  const code = `
    const { store } = open();
    let done = 0;
    while (done < 200) {
      const [entry] = await store.get(["sum"]);
      const checks = [{ key: "sum", version: entry?.version ?? null }];
      const puts = [{ key: "sum", value: String(Number(entry?.value ?? 0) + 1) }];
      done += (await commit(store, { checks, puts })) ? 1 : 0;
    }
    console.log(JSON.stringify(done));`;
  const drivers = ["node:sqlite", "bun:sqlite", "node:sqlite"];
  const done = await Promise.all(drivers.map((driver) => run(driver, file, code)));
  assert.deepEqual(done, [200, 200, 200]);
  const read = 'console.log(JSON.stringify((await open().store.get(["sum"]))[0].value));';
  assert.equal(await run("node:sqlite", file, read), "600");
});

test("a process that is killed in a commit leaves nothing half-written", async () => {
  const file = join(temporaryFolder(), "memory.db");
  await run("node:sqlite", file, "await open().store.get([]); console.log(1);");
  const dies = `
    const database = openFile(file);
    const dying = {
      exec: (sql) => (sql === "COMMIT" ? process.kill(process.pid, "SIGKILL") : database.exec(sql)),
      prepare: (sql) => database.prepare(sql),
    };
    await commit(sqliteHost(dying).store, { puts: [{ key: "a", value: "1" }, { key: "b", value: "1" }] });
    console.log("survived");`;
  await assert.rejects(run("node:sqlite", file, dies), ({ signal }) => signal === "SIGKILL");
  const read = `
    const { store } = open();
    const before = await store.get(["a", "b"]);
    await commit(store, { puts: [{ key: "a", value: "2" }] });
    console.log(JSON.stringify([before, (await store.get(["a"]))[0].value]));`;
  assert.deepEqual(await run("node:sqlite", file, read), [[null, null], "2"]);
});

test("a file of the first format, which did not tell its version, opens and remembers", async () => {
  const file = join(temporaryFolder(), "memory.db");
  const { rows } = JSON.parse(readFileSync(FIXTURE, "utf8"));
  const code = `
    import { readFileSync } from "node:fs";
    const fixture = JSON.parse(readFileSync(${JSON.stringify(FIXTURE)}, "utf8"));
    const database = openFile(file);
    for (const sql of fixture.schema) database.exec(sql);
    const insert = database.prepare("INSERT INTO siltstone_kv VALUES (?, ?, ?)");
    for (const { key, value, version } of fixture.rows) insert.run(key, value, version);
    const host = sqliteHost(database);
    const memory = await Siltstone.create({ host, config });
    const { hits } = await memory.recall({ user: "ana" }, "peanuts");
    const { messages } = await memory.messages({ user: "ana", session: "monday" });
    const [{ value }] = database.prepare("SELECT value FROM siltstone_meta").all();
    const shown = database.prepare("SELECT count(*) AS n FROM siltstone_memories WHERE tier = 'short'").all();
    console.log(JSON.stringify({ recalled: hits[0].memory.content, messages: messages.length, value, shown: shown[0].n }));`;
  const memories = rows.filter(({ key }) => key.includes("!memory!")).length;
  assert.deepEqual(await run("node:sqlite", file, code), {
    recalled: "User is allergic to peanuts",
    messages: 2,
    value: 2,
    shown: memories,
  });
});

test("a file of a newer format is left alone, with what to do", async () => {
  const file = join(temporaryFolder(), "memory.db");
  const code = `
    const database = openFile(file);
    database.exec("CREATE TABLE siltstone_meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL)");
    database.exec("INSERT INTO siltstone_meta VALUES ('schema', 3)");
    const memory = await Siltstone.create({ host: sqliteHost(database) });
    const { code, message } = await memory.sessions({ user: "ana" }).catch((error) => error);
    console.log(JSON.stringify({ code, message }));`;
  const { code: thrown, message } = await run("node:sqlite", file, code);
  assert.equal(thrown, "store_failed");
  assert.match(message, /made by a newer version of siltstone.*Update siltstone/);
});
