// No call reaches another user's data, whatever ids it is given: through the public API, over SQLite
// and over MariaDB, whose own ideas of equal texts must not matter.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createPool } from "mysql2/promise";
import { node24, startMariaDb } from "./servers.mjs";
import { checkIsolation } from "./shared/isolation.mjs";
import { importFrom, installPackage } from "./support.mjs";

const CHECK = fileURLToPath(new URL("shared/isolation.mjs", import.meta.url));
const options = { timeout: 240_000 };
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));
let folder;

before(() => {
  folder = installPackage();
});

/** A cache beside the store, where another's would be found as well. */
const CACHE = `
  const kept = new Map();
  const cache = {
    get: async (key) => kept.get(key) ?? null,
    put: async (key, value) => void kept.set(key, value),
  };`;

test("over SQLite", options, async (t) => {
  t.diagnostic(`SEED=${seed}`);
  const script = join(folder, "isolation.mjs");
  writeFileSync(
    script,
    `import { DatabaseSync } from "node:sqlite";
    import { Siltstone } from "siltstone";
    import { sqliteHost } from "siltstone/hosts/sqlite";
    import { checkIsolation } from ${JSON.stringify(CHECK)};
    ${CACHE}
    const host = { ...sqliteHost(new DatabaseSync(":memory:")), cache, log: () => {} };
    console.log(JSON.stringify(await checkIsolation({ Siltstone, host, seed: ${seed} })));`,
  );
  const { stdout } = await promisify(execFile)(node24, [script], { cwd: folder });
  const { calls, wrong } = JSON.parse(stdout);
  assert.ok(calls > 4_000 && wrong > 150, stdout);
});

test("over MariaDB", options, async (t) => {
  t.diagnostic(`SEED=${seed}`);
  const server = await startMariaDb();
  const pool = createPool(server.options);
  t.after(async () => {
    await pool.end();
    await server.stop();
  });
  const { Siltstone } = await importFrom(folder, "siltstone");
  const { mysqlHost } = await importFrom(folder, "siltstone/hosts/mysql");
  const host = { ...mysqlHost(pool), log: () => {} };
  const { calls } = await checkIsolation({ Siltstone, host, seed });
  assert.ok(calls > 4_000);
});
