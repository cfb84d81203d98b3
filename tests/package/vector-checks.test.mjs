// The checks of vector stores find what they are for: a store that breaks a rule fails its check.

import assert from "node:assert/strict";
import { test } from "node:test";
import { nearest } from "./servers/compare.mjs";
import { importFrom, installPackage } from "./support.mjs";

const { vectorStoreChecks } = await importFrom(installPackage(), "siltstone/testing/vectors");

/** A store in memory that keeps every rule but those that are `broken`. */
function store(broken = {}) {
  let items = [];
  return {
    async upsert(added, { signal }) {
      if (!broken.abort) {
        signal.throwIfAborted();
      }
      for (const item of broken.batch ? added.slice(0, 100) : added) {
        if (!broken.replace) {
          items = items.filter(({ id }) => id !== item.id);
        }
        items.push(item);
      }
    },
    async query({ namespace, cubes, vector, topK }, { signal }) {
      signal.throwIfAborted();
      const allowed = items.filter(
        (item) =>
          (broken.namespace || item.namespace === namespace) &&
          (broken.cube || cubes.some((cube) => cut(cube) === cut(item.cube))),
      );
      const found = nearest(allowed, vector, broken.topK ? topK + 1 : topK);
      return broken.order ? found.reverse() : found.map(scored);
    },
    async delete(namespace, ids, { signal }) {
      signal.throwIfAborted();
      if (broken.absent && ids.some((id) => !items.some((item) => item.id === id))) {
        throw new Error("not there");
      }
      items = items.filter(
        (item) =>
          broken.delete ||
          !ids.includes(item.id) ||
          (!broken.deleteAnywhere && item.namespace !== namespace),
      );
    },
  };

  function cut(cube) {
    return broken.longCube ? cube.slice(0, 64) : cube;
  }

  function scored({ id, score }) {
    return { id, score: broken.score ? 1 - score : score };
  }
}

async function failing(broken) {
  const shared = store(broken);
  const names = [];
  for (const { name, run } of vectorStoreChecks({ store: () => shared, dimensions: 8 })) {
    await run().catch(() => names.push(name));
  }
  return names;
}

test("a store that keeps the rules passes", async () => {
  assert.deepEqual(await failing({}), []);
});

for (const [broken, name] of Object.entries({
  absent: /empty/,
  order: /nearest come first/,
  score: /nearest come first/,
  topK: /no more are answered/,
  replace: /is replaced/,
  delete: /what is deleted/,
  cube: /only the cubes/,
  longCube: /only the cubes/,
  namespace: /namespaces never mix/,
  deleteAnywhere: /namespaces never mix/,
  batch: /a thousand/,
  abort: /aborted/,
})) {
  test(`a store that breaks a rule fails its check: ${broken}`, async () => {
    const names = await failing({ [broken]: true });
    assert.ok(
      names.some((one) => name.test(one)),
      `failed: ${names.join("; ") || "none"}`,
    );
  });
}
