// Embeddings over OpenAI's API, against a server on loopback.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { serve } from "./servers/serve.mjs";
import * as strict from "./servers/strict.mjs";
import { importFrom, installPackage } from "./support.mjs";

const KEY = "sk-secret-0123456789";
const BODY = strict.shape({
  model: strict.string,
  input: strict.list(strict.string),
  dimensions: strict.optional(strict.whole(1)),
  encoding_format: strict.optional(strict.oneOf("float", "base64")),
});

let openAiEmbed;
let server;
/** What the server does otherwise than it should. */
let odd;

before(async () => {
  ({ openAiEmbed } = await importFrom(installPackage(), "siltstone/embed/openai"));
  server = await serve(({ method, path, headers, body }) => {
    assert.deepEqual(
      [method, path, headers.authorization],
      ["POST", "/v1/embeddings", `Bearer ${KEY}`],
    );
    const [wrong] = strict.problems(body, BODY);
    if (wrong || (odd.refuses && body.encoding_format)) {
      return { status: 400, body: { error: { message: wrong?.msg ?? "unknown encoding_format" } } };
    }
    const { input, dimensions = 3, encoding_format } = body;
    const isFloat = odd.floats || encoding_format !== "base64";
    const data = input.map((text, index) => {
      const values = Float32Array.from({ length: dimensions }, (_, at) => text.length / (at + 3));
      const embedding = isFloat ? [...values] : Buffer.from(values.buffer).toString("base64");
      return { object: "embedding", index, embedding };
    });
    return { body: odd.body ?? { object: "list", data: odd.reversed ? data.reverse() : data } };
  });
});
after(() => server?.close());
beforeEach(() => {
  odd = {};
  server.asked.length = 0;
  server.faults.length = 0;
});

const embed = (options = {}) =>
  openAiEmbed({ baseUrl: `${server.url}/v1`, apiKey: KEY, model: "small", ...options });
const asked = () => ({ timeoutMs: 5_000, signal: new AbortController().signal });
const vector = (length, dimensions = 3) =>
  Float32Array.from({ length: dimensions }, (_, at) => length / (at + 3));
const failsWith = (reason, status) => (error) => {
  assert.equal(error.code, "llm_failed");
  assert.equal(error.details.reason, reason);
  assert.equal(error.details.status, status);
  assert.doesNotMatch(`${error.stack} ${error.cause?.stack}`, /secret/);
  return true;
};

test("gives a vector for each text, in base64 or as numbers, in whatever order they come", async () => {
  const expected = [vector(1), vector(2), vector(3)];
  for (odd of [{}, { floats: true }, { reversed: true }]) {
    assert.deepEqual(await embed()(["a", "bb", "ccc"], asked()), expected);
  }
  assert.equal(server.asked[0].body.encoding_format, "base64");
  assert.deepEqual(await embed()([], asked()), []);
});

test("asks a server that does not know base64 without it, from then on", async () => {
  odd = { refuses: true };
  const some = embed();
  await some(["a"], asked());
  await some(["b"], asked());
  assert.deepEqual(
    server.asked.map(({ body }) => body.encoding_format),
    ["base64", undefined, undefined],
  );
});

test("asks in batches, for vectors of the length that is wanted", async () => {
  const texts = ["a", "bb", "ccc", "dddd", "eeeee"];
  const vectors = await embed({ batchSize: 2, dimensions: 5 })(texts, asked());
  assert.deepEqual(
    vectors,
    texts.map(({ length }) => vector(length, 5)),
  );
  assert.deepEqual(
    server.asked.map(({ body }) => body.input.length),
    [2, 2, 1],
  );
});

test("asks a busy server again, and tells what it gave up on", async () => {
  server.faults.push({ status: 429, headers: { "retry-after": "0" } }, { reset: "after" });
  assert.equal((await embed()(["a"], asked())).length, 1);
  server.faults.push({ status: 401, body: { error: { message: `bad ${KEY}` } } });
  await assert.rejects(embed()(["a"], asked()), failsWith("status", 401));
  server.faults.push({ hang: "before" });
  const signal = AbortSignal.timeout(50);
  await assert.rejects(embed()(["a"], { ...asked(), signal }), { name: "TimeoutError" });
});

test("takes nothing but one whole vector for each text", async () => {
  const item = (embedding) => ({ data: [{ index: 0, embedding }] });
  for (const body of [
    {},
    { data: [] },
    item([]),
    item(["a"]),
    item(null),
    item("%"),
    item([1, null]),
  ]) {
    odd = { body };
    await assert.rejects(embed()(["a"], asked()), failsWith("malformed"));
  }
  odd = { body: item(Buffer.from(Float32Array.of(Number.NaN).buffer).toString("base64")) };
  await assert.rejects(embed()(["a"], asked()), failsWith("malformed"));
});

test("refuses options that cannot work", () => {
  assert.throws(() => embed({ baseUrl: "localhost" }), { path: "baseUrl" });
  assert.throws(() => embed({ model: "" }), { path: "model" });
  assert.throws(() => embed({ batchSize: 0 }), { path: "batchSize" });
});
