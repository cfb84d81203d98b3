// The behaviour cases through the packed package, in every runtime that is no browser: the same
// bytes as natively.

import assert from "node:assert/strict";
import { test } from "node:test";
import { COMPARE, caseFiles, PROCESSES, runIn, startDeployed } from "./runtimes.mjs";
import { installPackage, request, startWorker } from "./support.mjs";

const CASES = JSON.stringify(caseFiles());

const SCRIPT = `
import { readFileSync } from "node:fs";
import { Siltstone } from "siltstone";
import { compareCases } from ${COMPARE};
const { files, native } = JSON.parse(readFileSync("cases.json", "utf8"));
console.log(JSON.stringify(await compareCases(Siltstone, files, native)));
`;

const WORKER = `
import { Siltstone } from "siltstone";
import { compareCases } from ${COMPARE};
export default {
  async fetch(request) {
    const { files, native } = await request.json();
    return Response.json(await compareCases(Siltstone, files, native));
  },
};
`;

function check({ cases, differences }) {
  assert.deepEqual(differences, []);
  assert.ok(cases > 40, `only ${cases} cases were run`);
}

for (const [name, runtime] of Object.entries(PROCESSES)) {
  test(`in ${name}`, async () => {
    check(JSON.parse(await runIn(runtime, SCRIPT, { "cases.json": CASES })));
  });
}

for (const [name, start] of Object.entries({
  "workerd, bundled by esbuild": startWorker,
  "workerd, bundled by wrangler": startDeployed,
})) {
  test(`in ${name}`, async () => {
    const worker = await start(installPackage(), WORKER);
    try {
      const response = await request(worker.url, { method: "POST", body: CASES });
      check(await response.json());
    } finally {
      await worker.dispose();
    }
  });
}
