// A fact buried in the middle of a long dialogue is found in the next session, over every store.

import assert from "node:assert/strict";
import { join } from "node:path";
import { before, test } from "node:test";
import { buryAndFind } from "./shared/buried.mjs";
import { importFrom, installPackage, root, startWorker } from "./support.mjs";

let folder;

before(() => {
  folder = installPackage();
});

test("in Node, in memory", async () => {
  const { Siltstone } = await importFrom(folder, "siltstone");
  const { memoryHost } = await importFrom(folder, "siltstone/hosts/memory");
  assert.equal((await buryAndFind(Siltstone, memoryHost())).messages, 802);
});

test("in workerd, over D1 and KV", async () => {
  const code = `
    import { Siltstone } from "siltstone";
    import { cloudflareHost } from "siltstone/hosts/cloudflare";
    import { buryAndFind } from ${JSON.stringify(join(root, "tests/package/shared/buried.mjs"))};
    export default {
      async fetch(request, env) {
        try {
          return Response.json(await buryAndFind(Siltstone, cloudflareHost(env)));
        } catch (error) {
          return Response.json({ error: error.message });
        }
      },
    };
  `;
  const worker = await startWorker(folder, code);
  try {
    assert.equal((await (await fetch(worker.url)).json()).messages, 802);
  } finally {
    await worker.dispose();
  }
});
