// A Node.js process is killed in the middle of session ends, over a SQLite file and over MariaDB: when
// it is started again, it finishes the work.

import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { start } from "./examples.mjs";
import { killedRounds } from "./killed/rounds.mjs";
import { node24, startMariaDb, temporaryFolder } from "./servers.mjs";
import { installPackage, root } from "./support.mjs";

const options = { timeout: 240_000 };
let folder;

before(() => {
  folder = installPackage();
  for (const name of ["node.mjs", "options.mjs"]) {
    cpSync(fileURLToPath(new URL(`killed/${name}`, import.meta.url)), join(folder, name));
  }
});

/** Starts the application over the host that this code opens. */
const startOver = (t, openHost) => (bindings) => {
  writeFileSync(join(folder, "host.mjs"), openHost);
  return start(t, node24, ["node.mjs"], { cwd: folder, env: bindings });
};

test("over a SQLite file", options, async (t) => {
  const file = JSON.stringify(join(temporaryFolder(), "memory.db"));
  const openHost = `
    import { DatabaseSync } from "node:sqlite";
    import { sqliteHost } from "siltstone/hosts/sqlite";
    export const openHost = () => sqliteHost(new DatabaseSync(${file}));`;
  await killedRounds(t, startOver(t, openHost), { rounds: 6 });
});

test("over MariaDB", options, async (t) => {
  const server = await startMariaDb();
  t.after(() => server.stop());
  const mysql2 = JSON.stringify(join(root, "node_modules/mysql2/promise.js"));
  const openHost = `
    import { createPool } from ${mysql2};
    import { mysqlHost } from "siltstone/hosts/mysql";
    export const openHost = () => mysqlHost(createPool(${JSON.stringify(server.options)}));`;
  await killedRounds(t, startOver(t, openHost), { rounds: 4 });
});
