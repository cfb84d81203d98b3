// The language model over OpenAI's API, against a server on loopback.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, beforeEach, describe, test } from "node:test";
import { importFrom, installPackage } from "./support.mjs";

const KEY = "sk-secret-0123456789";

let openAiCompatible;
let openAiChat;
let server;
let baseUrl;
/** What the server was asked, newest last. */
let asked = [];
/** Answers a request: `{ status?, body }`, a text to send as it is, or a promise. */
let answer;

before(async () => {
  ({ openAiCompatible, openAiChat } = await importFrom(installPackage(), "siltstone/llm/openai"));
  server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) {
      text += chunk;
    }
    asked.push({ url: request.url, headers: request.headers, body: JSON.parse(text) });
    const answered = await answer(asked.at(-1).body);
    const {
      status = 200,
      headers,
      body,
    } = typeof answered === "string" ? { body: answered } : answered;
    response.writeHead(status, headers);
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${server.address().port}/v1`;
});
after(() => {
  server?.closeAllConnections();
  server?.close();
});
beforeEach(() => {
  asked = [];
});

const says = (content, finish_reason = "stop") => ({
  body: { choices: [{ message: { role: "assistant", content }, finish_reason }] },
});
const refuses = (message) => ({ status: 400, body: { error: { message } } });

const llm = (options = {}) =>
  openAiCompatible({ baseUrl, apiKey: KEY, model: "small", ...options });
const request = (options = {}) => ({
  purpose: "judge",
  messages: [{ role: "user", content: "Judge this." }],
  json: true,
  schema: { type: "object" },
  maxTokens: 100,
  timeoutMs: 1000,
  signal: new AbortController().signal,
  ...options,
});

/** Checks that an error is `llm_failed` for this reason and holds no key. */
const failsWith = (reason, status) => (error) => {
  assert.equal(error.code, "llm_failed");
  assert.equal(error.details.reason, reason);
  assert.equal(error.details.status, status);
  assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)} ${error.cause?.stack}`, /sk-secret/);
  return true;
};

describe("openAiCompatible", () => {
  test("asks with the model, the messages, the schema and the key", async () => {
    answer = () => says('{"memories":[]}');
    assert.equal(await llm({ baseUrl: `${baseUrl}/` })(request()), '{"memories":[]}');
    const [{ url, headers, body }] = asked;
    assert.equal(url, "/v1/chat/completions");
    assert.equal(headers.authorization, `Bearer ${KEY}`);
    assert.equal(body.model, "small");
    assert.deepEqual(body.messages, request().messages);
    assert.equal(body.max_completion_tokens, 100);
    assert.deepEqual(body.response_format.json_schema.schema, { type: "object" });
  });

  test("asks a text without JSON mode, and a local server without a key", async () => {
    answer = () => says("A summary.");
    const ask = openAiCompatible({ baseUrl, model: "small" });
    assert.equal(await ask(request({ json: false, schema: undefined })), "A summary.");
    assert.equal(asked[0].body.response_format, undefined);
    assert.equal(asked[0].headers.authorization, undefined);
  });

  test("goes on in JSON mode, or without, where the server refuses a schema", async () => {
    const formats = () => asked.map(({ body }) => body.response_format?.type);
    answer = ({ response_format }) =>
      response_format ? refuses("response_format is not supported") : says("[]");
    const ask = llm();
    assert.equal(await ask(request()), "[]");
    assert.equal(await ask(request()), "[]");
    assert.deepEqual(formats(), ["json_schema", "json_object", undefined, undefined]);

    asked = [];
    answer = ({ response_format: { type } }) =>
      type === "json_schema" ? refuses("json_schema is not supported") : says("[]");
    const other = llm();
    assert.equal(await other(request({ schema: undefined })), "[]");
    assert.equal(await other(request()), "[]");
    assert.equal(await other(request()), "[]");
    assert.deepEqual(formats(), ["json_object", "json_schema", "json_object", "json_object"]);
  });

  test("gives up no way of asking for a fault that has nothing to do with it", async () => {
    answer = () => refuses("the context is too long");
    const ask = llm();
    await assert.rejects(ask(request()), failsWith("status", 400));
    answer = () => says("[]");
    await ask(request());
    assert.equal(asked.at(-1).body.response_format.type, "json_schema");
  });

  test("asks a server again that is busy, for as long as there is time", async () => {
    let busy = 2;
    answer = () => {
      busy -= 1;
      return busy < 0 ? says("[]") : { status: 503, headers: { "retry-after": "0" }, body: "busy" };
    };
    assert.equal(await llm()(request()), "[]");
    assert.equal(asked.length, 3);
    busy = 9;
    answer = () => ({ status: 529, headers: { "retry-after": "9" }, body: "overloaded" });
    await assert.rejects(llm()(request()), failsWith("status", 529));
    assert.equal(asked.length, 4);
  });

  test("names the token limit as the server wants it", async () => {
    answer = ({ max_tokens }) =>
      max_tokens === undefined ? refuses("unknown field max_completion_tokens") : says("[]");
    const ask = llm();
    assert.equal(await ask(request()), "[]");
    assert.equal(await ask(request()), "[]");
    assert.deepEqual(
      asked.map(({ body }) => body.max_tokens),
      [undefined, 100, 100],
    );
    assert.ok(asked.every(({ body }) => body.response_format));
  });

  test("tells the status of a refused key, and never the key", async () => {
    answer = () => ({ status: 401, body: { error: { message: `bad key ${KEY}` } } });
    await assert.rejects(llm()(request()), failsWith("status", 401));
    assert.equal(asked.length, 1);
    answer = () => ({ status: 500, body: `echo: Bearer ${KEY}` });
    await assert.rejects(llm()(request()), failsWith("status", 500));
  });

  test("fails on a refusal, a filter, an empty answer and an answer that is not JSON", async () => {
    const message = { content: null, refusal: "I can't help with that." };
    answer = () => ({ body: { choices: [{ message, finish_reason: "stop" }] } });
    await assert.rejects(llm()(request()), failsWith("refused"));
    answer = () => says("", "content_filter");
    await assert.rejects(llm()(request()), failsWith("refused"));
    for (const body of [{}, { choices: [] }, { choices: null }, says(" ").body, null]) {
      answer = () => ({ body });
      await assert.rejects(llm()(request()), failsWith("empty"));
    }
    answer = () => "<html>busy</html>";
    await assert.rejects(llm()(request()), failsWith("malformed"));
  });

  test("gives JSON that breaks off to the core, and fails on a text that does", async () => {
    answer = () => says('{"memories":[{"content":"likes', "length");
    assert.equal(await llm()(request()), '{"memories":[{"content":"likes');
    await assert.rejects(llm()(request({ json: false })), failsWith("truncated"));
    answer = () => says("", "length");
    await assert.rejects(llm()(request()), failsWith("truncated"));
  });

  test("stops when the signal aborts", async () => {
    answer = () => new Promise(() => {});
    const signal = AbortSignal.timeout(50);
    await assert.rejects(llm()(request({ signal })), { name: "TimeoutError" });
  });

  test("tells that a server cannot be reached", async () => {
    const closed = llm({ baseUrl: "http://127.0.0.1:1/v1" });
    await assert.rejects(closed(request()), failsWith("network"));
  });

  test("refuses options that cannot work, without repeating the key", () => {
    const refused = (path) => (error) => {
      assert.equal(error.code, "invalid_config");
      assert.equal(error.path, path);
      assert.doesNotMatch(error.message, /sk-secret/);
      return true;
    };
    assert.throws(() => llm({ baseUrl: "localhost" }), refused("baseUrl"));
    assert.throws(() => llm({ baseUrl: "file:///v1" }), refused("baseUrl"));
    assert.throws(() => llm({ apiKey: `${KEY}\n` }), refused("apiKey"));
    assert.throws(() => llm({ model: "" }), refused("model"));
  });
});

describe("openAiChat", () => {
  const stream = (...events) =>
    [...events.map((event) => JSON.stringify(event)), "[DONE]"]
      .map((data) => `data: ${data}\r\n\r\n`)
      .join("");
  const delta = (content) => ({ choices: [{ delta: { content } }] });
  const read = async (messages) => {
    const pieces = [];
    for await (const piece of openAiChat({ baseUrl, apiKey: KEY, model: "small" }, messages)) {
      pieces.push(piece);
    }
    return pieces;
  };

  test("gives the text piece by piece and sends only what the API knows", async () => {
    const opening = { choices: [{ delta: { role: "assistant", content: "" } }] };
    const usage = { choices: [], usage: { total_tokens: 3 } };
    answer = () => stream(opening, delta("你好"), delta(", Ada"), usage);
    const messages = [
      { role: "user", content: "Hi", id: "m1", createdAt: 1, meta: { a: 1 }, name: "ada" },
    ];
    assert.deepEqual(await read(messages), ["你好", ", Ada"]);
    assert.deepEqual(asked[0].body.messages, [{ role: "user", content: "Hi", name: "ada" }]);
    assert.equal(asked[0].body.stream, true);
    assert.equal(messages[0].id, "m1");
  });

  test("fails on a refusal and on an error in the middle", async () => {
    answer = () => stream({ choices: [{ delta: { refusal: "no" } }] });
    await assert.rejects(read([]), failsWith("refused"));
    answer = () => stream(delta("a"), { error: { message: KEY } });
    await assert.rejects(read([]), failsWith("status"));
  });
});
