// How requests are sent again, given up and told about, by way of a memory service's transport.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { serve } from "./servers/serve.mjs";
import { importFrom, installPackage, request as send, startWorker } from "./support.mjs";

const KEY = "secret-0123456789";
let memos;
let mem0;
let server;
let stored;

before(async () => {
  const folder = installPackage();
  ({ memos } = await importFrom(folder, "siltstone/providers/memos"));
  ({ mem0 } = await importFrom(folder, "siltstone/providers/mem0"));
  server = await serve(({ body }) => {
    stored.push(body);
    return { body: { code: 200, stored: stored.length } };
  });
});
after(() => server?.close());
beforeEach(() => {
  stored = [];
  server.asked.length = 0;
  server.faults.length = 0;
});

const transport = (options = {}) => memos({ baseUrl: server.url, apiKey: KEY, ...options });
const request = (options = {}) => ({
  provider: "memos",
  operation: "search",
  method: "POST",
  path: "/search",
  body: { query: "tea" },
  isIdempotent: true,
  timeoutMs: 10_000,
  signal: new AbortController().signal,
  ...options,
});
const add = (options) =>
  request({ operation: "add", path: "/add", isIdempotent: false, ...options });
const busy = (headers = { "retry-after": "0" }) => ({ status: 429, headers, body: { code: 429 } });

const failsWith = (reason) => (error) => {
  assert.equal(error.code, "service_failed");
  assert.equal(error.details.reason, reason);
  assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)} ${error.cause?.stack}`, /secret-/);
  return true;
};

describe("a request", () => {
  test("carries the key, the body and the idempotency key", async () => {
    const answer = await transport({ baseUrl: `${server.url}/product/` })(
      add({ idempotencyKey: "k1", path: "/add?a=1" }),
    );
    assert.deepEqual(answer, { status: 200, body: { code: 200, stored: 1 } });
    const [{ method, path, query, headers, body }] = server.asked;
    assert.deepEqual([method, path, query], ["POST", "/product/add", { a: "1" }]);
    assert.deepEqual(body, { query: "tea" });
    assert.equal(headers.authorization, `Bearer ${KEY}`);
    assert.equal(headers["idempotency-key"], "k1");
    assert.equal(headers["content-type"], "application/json");
  });

  test("goes to MemOS's cloud and to Mem0 with their own kind of key, and headers of yours", async () => {
    await transport({ api: "cloud" })(request());
    await mem0({ baseUrl: server.url, apiKey: KEY, headers: { "x-gateway": "a" } })(
      request({ method: "GET", body: undefined }),
    );
    assert.deepEqual(
      server.asked.map(({ headers }) => headers.authorization),
      [`Token ${KEY}`, `Token ${KEY}`],
    );
    assert.equal(server.asked[1].headers["x-gateway"], "a");
    assert.equal(server.asked[1].headers["content-type"], undefined);
    assert.equal(server.asked[1].body, undefined);
  });

  test("has every status as its answer, JSON or not", async () => {
    server.faults.push({ status: 422, body: { code: 422, detail: [] } });
    assert.deepEqual(await transport()(request()), {
      status: 422,
      body: { code: 422, detail: [] },
    });
    server.faults.push({ status: 404, body: "<html>no</html>" });
    assert.deepEqual(await transport()(request()), { status: 404, body: "<html>no</html>" });
    server.faults.push({ status: 204 });
    assert.deepEqual(await transport()(request()), { status: 204, body: null });
    assert.equal(server.asked.length, 3);
  });

  test("follows no redirect, which would carry the key elsewhere", async () => {
    server.faults.push({ status: 307, headers: { location: "/elsewhere" } });
    assert.equal((await transport()(request())).status, 307);
    assert.equal(server.asked.length, 1);
  });

  test("repeats no key that a server echoes", async () => {
    server.faults.push({ status: 403, body: { message: `no such key: ${KEY}` } });
    const { body } = await transport()(request());
    assert.deepEqual(body, { message: "no such key: [key]" });
    // What was asked for stays as it is, even where it holds what is in the key.
    const found = await transport({ apiKey: "o" })(request());
    assert.deepEqual(found.body, { code: 200, stored: 1 });
  });
});

describe("sent again", () => {
  test("after 429, 5xx and a broken connection, until it works", async () => {
    const date = new Date(Date.now() - 5_000).toUTCString();
    server.faults.push(busy(), busy({ "retry-after": date }), { reset: "before" });
    assert.equal((await transport()(request())).status, 200);
    assert.equal(server.asked.length, 4);
    assert.equal(stored.length, 1);
  });

  test("four times at most; then the last answer is the answer", async () => {
    server.faults.push(busy(), busy(), busy(), { ...busy(), status: 503 }, { pass: true });
    assert.equal((await transport()(request())).status, 503);
    assert.equal(server.asked.length, 4);
  });

  test("never where it could do something twice", async () => {
    for (const fault of [busy(), { status: 500, headers: { "retry-after": "0" } }]) {
      server.faults.push(fault);
      assert.equal((await transport()(add())).status, fault.status);
    }
    server.faults.push({ reset: "after" });
    await assert.rejects(transport()(add()), failsWith("network"));
    assert.equal(server.asked.length, 3);
    assert.equal(stored.length, 1);
  });

  test("with the same idempotency key, whatever happened, where the service heeds it", async () => {
    server.faults.push({ reset: "after" }, { status: 500, headers: { "retry-after": "0" } });
    const heeding = transport({ heedsIdempotencyKeys: true });
    assert.equal((await heeding(add({ idempotencyKey: "k" }))).status, 200);
    assert.deepEqual(
      server.asked.map(({ headers }) => headers["idempotency-key"]),
      ["k", "k", "k"],
    );
  });

  test("with a key that may not be heeded only after 429, when nothing was done", async () => {
    server.faults.push(busy(), { reset: "after" }, { pass: true });
    await assert.rejects(transport()(add({ idempotencyKey: "k" })), failsWith("network"));
    assert.equal(server.asked.length, 2);
    assert.equal(stored.length, 1);
  });

  test("not when the wait that is asked for ends after its deadline", async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    for (const asked of ["60", inAnHour]) {
      server.faults.push(busy({ "retry-after": asked }));
      assert.equal((await transport()(request({ timeoutMs: 5_000 }))).status, 429);
    }
    assert.equal(server.asked.length, 2);
  });

  test("not when it was given up meanwhile", async () => {
    const controller = new AbortController();
    server.faults.push(busy({ "retry-after": "5" }));
    const sent = transport()(request({ signal: controller.signal }));
    setTimeout(() => controller.abort(new Error("given up")), 50);
    await assert.rejects(sent, /given up/);
    await assert.rejects(transport()(request({ signal: controller.signal })), /given up/);
    assert.equal(server.asked.length, 1);
  });
});

describe("given up", () => {
  test("when the server hangs and the signal aborts", async () => {
    server.faults.push({ hang: "before" });
    const signal = AbortSignal.timeout(50);
    await assert.rejects(transport()(request({ signal })), { name: "TimeoutError" });
  });

  test("when no server is there", async () => {
    const nowhere = transport({ baseUrl: "http://127.0.0.1:1" });
    await assert.rejects(nowhere(request({ timeoutMs: 100 })), failsWith("network"));
  });

  test("when the answer has no end", async () => {
    let sent = 0;
    const endless = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent += 1;
            controller.enqueue(new Uint8Array(1024 * 1024));
          },
        }),
      );
    await assert.rejects(
      transport({ fetch: async () => endless() })(request()),
      failsWith("too_large"),
    );
    assert.ok(sent < 40);
  });

  test("with no key in a fault that repeats it", async () => {
    const fetch = async (_, { headers }) => {
      throw new TypeError(`cannot send ${headers.authorization}`);
    };
    await assert.rejects(
      transport({ fetch })(add()),
      (error) => failsWith("network")(error) && error.cause === undefined,
    );
  });
});

test("the same holds in workerd", async (t) => {
  const code = `
    import { memos } from "siltstone/providers/memos";
    import { qdrant } from "siltstone/vectors/qdrant";
    export default {
      async fetch(request) {
        const { baseUrl, apiKey, body } = await request.json();
        const signal = AbortSignal.timeout(5_000);
        const asked = { method: "POST", path: "/add", isIdempotent: true, timeoutMs: 5_000, signal };
        const answer = await memos({ baseUrl, apiKey })({ ...asked, body });
        const failed = await qdrant({ baseUrl, apiKey })
          .query({ namespace: "a", cubes: ["b"], vector: Float32Array.of(1), topK: 1 }, asked)
          .catch(({ code, message }) => ({ code, message }));
        return Response.json({ answer, failed });
      },
    };
  `;
  const worker = await startWorker(installPackage(), code);
  t.after(() => worker.dispose());
  const moved = { status: 307, headers: { location: "https://example.com" } };
  server.faults.push(busy(), { reset: "before" }, { pass: true }, moved);
  const response = await send(worker.url, {
    method: "POST",
    body: JSON.stringify({ baseUrl: server.url, apiKey: KEY, body: { memory: "茶" } }),
  });
  const { answer, failed } = await response.json();
  assert.deepEqual(answer, { status: 200, body: { code: 200, stored: 1 } });
  assert.deepEqual(stored, [{ memory: "茶" }]);
  assert.equal(failed.code, "service_failed");
  assert.match(failed.message, /Qdrant answered 307; give the address/);
});

test("options that cannot work are refused, without the key", () => {
  const refused = (path) => (error) => {
    assert.equal(error.code, "invalid_config");
    assert.equal(error.path, path);
    assert.doesNotMatch(error.message, /secret-/);
    return true;
  };
  for (const baseUrl of [
    "localhost",
    "ftp://a",
    `http://me:${KEY}@a`,
    "http://a?b",
    "http://a#b",
  ]) {
    assert.throws(() => transport({ baseUrl }), refused("baseUrl"));
  }
  assert.throws(() => transport({ apiKey: `${KEY}\n` }), refused("apiKey"));
  assert.throws(() => transport({ api: "cloud", apiKey: "" }), refused("apiKey"));
  assert.throws(() => transport({ api: "neither" }), refused("api"));
});
