// The vector stores: pgvector for real (PGlite), Qdrant and Milvus over HTTP against servers that
// speak their APIs, Vectorize against an object of its binding's shape, since none runs locally.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite/vector";
import { startMilvus } from "./servers/milvus.mjs";
import { startQdrant } from "./servers/qdrant.mjs";
import { VectorizeStandIn } from "./servers/vectorize.mjs";
import { importFrom, installPackage } from "./support.mjs";

const KEY = "secret-0123456789";
const folder = installPackage();
const { vectorStoreChecks } = await importFrom(folder, "siltstone/testing/vectors");
const { pgvector } = await importFrom(folder, "siltstone/vectors/pgvector");
const { vectorize } = await importFrom(folder, "siltstone/vectors/vectorize");
const { qdrant } = await importFrom(folder, "siltstone/vectors/qdrant");
const { milvus } = await importFrom(folder, "siltstone/vectors/milvus");

const asked = () => ({ timeoutMs: 5_000, signal: new AbortController().signal });
const item = (values, more = {}) => ({
  id: "00000000-0000-0000-0000-000000000001",
  namespace: "a".repeat(32),
  cube: "user_profile",
  vector: Float32Array.from(values),
  ...more,
});
const query = (values, more = {}) => {
  const { namespace } = item(values);
  return {
    namespace,
    cubes: ["user_profile"],
    vector: Float32Array.from(values),
    topK: 3,
    ...more,
  };
};

function conforms(options) {
  for (const { name, run } of vectorStoreChecks(options)) {
    test(name, run);
  }
}

/** Checks that an error is typed and holds no key. */
const fails = (reason, message) => (error) => {
  assert.equal(error.code, "service_failed");
  assert.equal(error.details.reason, reason);
  assert.match(error.message, message);
  assert.doesNotMatch(`${error.stack} ${error.cause?.stack}`, /secret-/);
  return true;
};

describe("pgvector, in PGlite", () => {
  let db;
  before(async () => {
    db = await PGlite.create({ extensions: { vector } });
  });
  after(() => db?.close());

  conforms({ store: () => pgvector(db) });

  test("the checks delete what they wrote", async () => {
    const { rows } = await db.query("SELECT count(*)::int AS n FROM siltstone_vectors");
    assert.equal(rows[0].n, 0);
  });

  test("vectors of another embedder are left out", async () => {
    const store = pgvector(db, { table: "public.mixed" });
    const ids = [1, 2].map((n) => `00000000-0000-0000-0000-00000000000${n}`);
    await store.upsert([item([1, 0], { id: ids[0] }), item([1, 0, 0], { id: ids[1] })], asked());
    const found = await store.query(query([1, 0]), asked());
    assert.deepEqual(
      found.map(({ id }) => id),
      [ids[0]],
    );
  });

  test("tells what the database said, and refuses a table that is no name", async () => {
    await assert.rejects(
      pgvector(db).upsert([item([Number.NaN])], asked()),
      fails("status", /PostgreSQL failed: NaN not allowed/),
    );
    assert.throws(() => pgvector(db, { table: "a; drop table b" }), { code: "invalid_config" });
  });
});

describe("Vectorize, by a stand-in of its binding", () => {
  const index = new VectorizeStandIn(1_536);
  conforms({ store: () => vectorize(index), settle: () => index.settle() });

  test("tells what the index said", async () => {
    await assert.rejects(
      vectorize(index).upsert([item([1])], asked()),
      fails("status", /wrong dimensions/),
    );
  });
});

describe("Qdrant, over HTTP", () => {
  let server;
  let store;
  before(async () => {
    server = await startQdrant({ apiKey: KEY });
    store = qdrant({ baseUrl: server.url, apiKey: KEY });
  });
  after(() => server?.close());

  conforms({ store: () => store });

  test("a server that is busy is asked again, and a connection that breaks off too", async () => {
    const fresh = qdrant({ baseUrl: server.url, apiKey: KEY, collection: "busy" });
    server.faults.push({ status: 429, headers: { "retry-after": "0" } }, { reset: "before" });
    await fresh.upsert([item([1, 0])], asked());
    assert.equal((await fresh.query(query([1, 0]), asked())).length, 1);
  });

  test("tells the status, never the key", async () => {
    server.faults.push({ status: 400, body: { status: { error: `bad ${KEY}` } } });
    await assert.rejects(store.query(query([1]), asked()), fails("status", /Qdrant answered 400/));
    const denied = qdrant({ baseUrl: server.url, apiKey: `${KEY}x` });
    await assert.rejects(denied.query(query([1]), asked()), fails("status", /check the API key/));
  });
});

describe("Milvus, over HTTP", () => {
  let server;
  let store;
  before(async () => {
    server = await startMilvus({ token: KEY });
    store = milvus({ baseUrl: server.url, apiKey: KEY });
  });
  after(() => server?.close());

  conforms({ store: () => store });

  test("takes code 0 alone for a success", async () => {
    server.faults.push({ status: 200, body: { code: 65535, message: `no quota for ${KEY}` } });
    await assert.rejects(
      store.query(query([1]), asked()),
      fails("status", /Milvus answered code 65535: no quota for \[key\]/),
    );
    const denied = milvus({ baseUrl: server.url, apiKey: `${KEY}x` });
    await assert.rejects(denied.delete("a", ["b"], asked()), fails("status", /authenticated/));
  });
});
