// The language model over Anthropic's Messages API, against a server on loopback.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { serve } from "./servers/serve.mjs";
import * as strict from "./servers/strict.mjs";
import { importFrom, installPackage } from "./support.mjs";

const KEY = "sk-ant-secret-0123456789";
const { list, object, oneOf, optional, shape, string, whole } = strict;
const BODY = shape({
  model: string,
  max_tokens: whole(1),
  messages: list(shape({ role: oneOf("user", "assistant"), content: string })),
  system: optional(string),
  output_config: optional(shape({ format: shape({ type: oneOf("json_schema"), schema: object }) })),
});

let anthropic;
let server;
/** Answers a body that the API would take. */
let answer;

before(async () => {
  ({ anthropic } = await importFrom(installPackage(), "siltstone/llm/anthropic"));
  server = await serve(({ method, path, headers, body }) => {
    if (method !== "POST" || path !== "/v1/messages") {
      return failed(404, "not_found_error", "Not found");
    }
    if (headers["x-api-key"] !== KEY) {
      return failed(401, "authentication_error", `invalid x-api-key ${headers["x-api-key"]}`);
    }
    if (headers["anthropic-version"] !== "2023-06-01") {
      return failed(400, "invalid_request_error", "anthropic-version: header is required");
    }
    const [wrong] = strict.problems(body, BODY, []);
    if (wrong) {
      return failed(400, "invalid_request_error", `${wrong.loc.join(".")}: ${wrong.msg}`);
    }
    const { schema } = body.output_config?.format ?? {};
    const limit = /"(minimum|maximum|minLength|maxLength|multipleOf|maxItems)":\d/.exec(
      JSON.stringify(schema),
    );
    if (limit) {
      const message = `output_config.format.schema: property '${limit[1]}' is not supported`;
      return failed(400, "invalid_request_error", message);
    }
    return answer(body);
  });
});
after(() => server?.close());
beforeEach(() => {
  server.asked.length = 0;
});

const failed = (status, type, message, headers = {}) => ({
  status,
  headers,
  body: { type: "error", error: { type, message }, request_id: "req_1" },
});
const says = (text, stop_reason = "end_turn") => ({
  body: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    content: text === undefined ? [] : [{ type: "text", text }],
    stop_reason,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  },
});
const llm = (options = {}) =>
  anthropic({ baseUrl: server.url, apiKey: KEY, model: "small", ...options });
const request = (options = {}) => ({
  purpose: "judge",
  messages: [
    { role: "system", content: "You judge." },
    { role: "user", content: "Judge this." },
  ],
  json: true,
  schema: { type: "object" },
  maxTokens: 100,
  timeoutMs: 5_000,
  signal: new AbortController().signal,
  ...options,
});
const failsWith = (reason, status) => (error) => {
  assert.equal(error.code, "llm_failed");
  assert.equal(error.details.reason, reason);
  assert.equal(error.details.status, status);
  assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)} ${error.cause?.stack}`, /secret/);
  return true;
};

test("asks with the system text beside the messages, and for JSON by a schema", async () => {
  answer = () => says('{"memories":[]}');
  assert.equal(await llm({ baseUrl: `${server.url}/` })(request()), '{"memories":[]}');
  assert.deepEqual(server.asked[0].body, {
    model: "small",
    max_tokens: 100,
    system: "You judge.",
    messages: [{ role: "user", content: "Judge this." }],
    output_config: { format: { type: "json_schema", schema: { type: "object" } } },
  });
  answer = () => says("A summary.");
  const [, user] = request().messages;
  await llm()(request({ json: false, messages: [user] }));
  assert.deepEqual(Object.keys(server.asked[1].body), ["model", "max_tokens", "messages"]);
});

test("asks for no limits, which are refused in a schema, and keeps fields of such a name", async () => {
  answer = () => says("[]");
  const limited = { type: "integer", minimum: 1, maximum: 10 };
  const schema = { type: "object", properties: { minimum: limited, list: { anyOf: [limited] } } };
  await llm()(request({ schema }));
  assert.deepEqual(server.asked[0].body.output_config.format.schema, {
    type: "object",
    properties: { minimum: { type: "integer" }, list: { anyOf: [{ type: "integer" }] } },
  });
  assert.equal(server.asked.length, 1);
});

test("judges what a session said", async () => {
  const kept = {
    content: "Allergic to peanuts",
    category: "profile",
    scope: "user",
    importance: 9,
    kind: "text",
    facts: [],
    sensitive: false,
    from: ["m1"],
    replaces: [],
    contradicts: [],
  };
  answer = () => says(JSON.stringify({ memories: [kept] }));
  const folder = installPackage();
  const { Siltstone } = await importFrom(folder, "siltstone");
  const { memoryHost } = await importFrom(folder, "siltstone/hosts/memory");
  const memory = await Siltstone.create({
    host: memoryHost(),
    llm: llm(),
    config: { agent: { longMemory: true, model: "gpt-4o" } },
  });
  const scope = { user: "ana", session: "s" };
  await memory.append(scope, [{ role: "user", content: "Peanuts make me ill, so I avoid them." }]);
  const { judgedBy } = await memory.endSession(scope);
  assert.equal(judgedBy, "llm");
  const { memories } = await memory.memories({ user: "ana" }).list();
  assert.deepEqual(
    memories.map(({ content, importance }) => [content, importance]),
    [["Allergic to peanuts", 9]],
  );
  assert.ok(server.asked.every(({ body }) => body.output_config));
});

test("goes on without a schema where the model does not take one", async () => {
  answer = ({ output_config }) =>
    output_config
      ? failed(400, "invalid_request_error", "output_config: not supported by this model")
      : says("[]");
  const ask = llm();
  assert.equal(await ask(request()), "[]");
  assert.equal(await ask(request()), "[]");
  assert.deepEqual(
    server.asked.map(({ body }) => body.output_config !== undefined),
    [true, false, false],
  );
});

test("asks again when the service is overloaded, for as long as there is time", async () => {
  const overloaded = failed(529, "overloaded_error", "Overloaded", { "retry-after": "0" });
  server.faults.push(overloaded, overloaded);
  answer = () => says("[]");
  assert.equal(await llm()(request()), "[]");
  assert.equal(server.asked.length, 3);
  server.faults.push({ ...overloaded, headers: { "retry-after": "30" } });
  await assert.rejects(llm()(request()), failsWith("status", 529));
});

test("fails on a refusal and on an empty answer", async () => {
  answer = () => says("I can't", "refusal");
  await assert.rejects(llm()(request()), failsWith("refused"));
  answer = () => says(undefined, "refusal");
  await assert.rejects(llm()(request()), failsWith("refused"));
  for (const body of [says(undefined).body, says(" ").body, {}, null, { content: null }]) {
    answer = () => ({ body });
    await assert.rejects(llm()(request()), failsWith("empty"));
  }
  answer = () => ({ body: "<html>" });
  await assert.rejects(llm()(request()), failsWith("malformed"));
});

test("gives JSON that breaks off to the core, and fails on a text that does", async () => {
  for (const reason of ["max_tokens", "model_context_window_exceeded"]) {
    answer = () => says('{"memories":[{"content":"likes', reason);
    assert.equal(await llm()(request()), '{"memories":[{"content":"likes');
    await assert.rejects(llm()(request({ json: false })), failsWith("truncated"));
  }
});

test("tells the status of a refused key, and never the key", async () => {
  await assert.rejects(llm({ apiKey: `${KEY}9` })(request()), failsWith("status", 401));
  assert.throws(() => llm({ apiKey: "" }), { code: "invalid_config", path: "apiKey" });
  assert.throws(() => llm({ model: "" }), { code: "invalid_config", path: "model" });
});

test("stops when the signal aborts", async () => {
  server.faults.push({ hang: "before" });
  const signal = AbortSignal.timeout(50);
  await assert.rejects(llm()(request({ signal })), { name: "TimeoutError" });
});
