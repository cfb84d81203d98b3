// What the adapters bring into a bundle, and that no framework is asked of who uses none.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { bundle, installPackage } from "./support.mjs";

let folder;

before(() => {
  folder = installPackage();
});

/** The packages that code of each adapter needs at run time; the others are needed for types. */
const NEEDED = {
  "adapters/ai-sdk": [],
  "adapters/hono": [],
  "adapters/langchain": ["@langchain/core"],
  "adapters/openai-agents": [],
  mcp: ["@modelcontextprotocol/sdk", "zod"],
};

for (const [name, needed] of Object.entries(NEEDED)) {
  test(`${name} needs ${needed.join(" and ") || "no other package"}, and nothing of Node`, async () => {
    const code = `export * from "siltstone/${name}";`;
    const { metafile } = await bundle(folder, code, ["workerd", "worker"], {
      platform: "neutral",
      external: Object.values(NEEDED).flatMap((names) => names.map((name) => `${name}/*`)),
    });
    const external = Object.values(metafile.inputs)
      .flatMap(({ imports }) => imports)
      .filter((one) => one.external)
      .map(({ path }) => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0]);
    assert.deepEqual([...new Set(external)].sort(), needed);
  });
}

test("every framework is an optional peer", () => {
  const manifest = JSON.parse(
    readFileSync(join(folder, "node_modules/siltstone/package.json"), "utf8"),
  );
  const { peerDependencies: peers, peerDependenciesMeta: meta } = manifest;
  assert.ok(Object.values(NEEDED).every((names) => names.every((name) => name in peers)));
  assert.deepEqual(Object.keys(meta).sort(), Object.keys(peers).sort());
  assert.ok(Object.values(meta).every(({ optional }) => optional === true));
});
