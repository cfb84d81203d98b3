// The behaviour cases through the packed package, in Node and in workerd: the same bytes as
// natively.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { compareCases } from "./shared/cases.mjs";
import { importFrom, installPackage, root, startWorker } from "./support.mjs";

const NATIVE = "target/cases/native.json";

let folder;
let files;
let native;

before(() => {
  folder = installPackage();
  const cases = join(root, "tests/cases");
  const names = readdirSync(cases).filter((name) => name.endsWith(".json"));
  const read = (name) => JSON.parse(readFileSync(join(cases, name), "utf8"));
  files = Object.fromEntries(names.map((name) => [name, read(name)]));
  // Written by the native run: `cargo test --test cases`.
  native = JSON.parse(readFileSync(join(root, NATIVE), "utf8"));
});

function check({ cases, differences }) {
  assert.deepEqual(differences, []);
  assert.ok(cases > 40, `only ${cases} cases were run`);
}

test("in Node", async () => {
  const { Siltstone } = await importFrom(folder, "siltstone");
  check(await compareCases(Siltstone, files, native));
});

test("in workerd", async () => {
  const code = `
    import { Siltstone } from "siltstone";
    import { compareCases } from ${JSON.stringify(join(root, "tests/package/shared/cases.mjs"))};
    export default {
      async fetch(request) {
        const { files, native } = await request.json();
        return Response.json(await compareCases(Siltstone, files, native));
      },
    };
  `;
  const worker = await startWorker(folder, code);
  try {
    const body = JSON.stringify({ files, native });
    const response = await fetch(worker.url, { method: "POST", body });
    check(await response.json());
  } finally {
    await worker.dispose();
  }
});
