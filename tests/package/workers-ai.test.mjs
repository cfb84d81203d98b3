// Workers AI, in workerd. There is no local Workers AI: the binding is a stand-in whose `run` takes
// and gives what the docs say, wrapped around a Worker as the real one is.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Miniflare } from "miniflare";
import { bundle, request as fetchFrom, installPackage } from "./support.mjs";

const WORKER = `
import { workersAi } from "siltstone/llm/workers-ai";
import { workersAiEmbed } from "siltstone/embed/workers-ai";

const told = (error) => ({
  name: error.name, code: error.code, message: error.message, reason: error.details?.reason,
});

export default {
  async fetch(request, env) {
    const { what, model, timeoutMs, texts, ...asked } = await request.json();
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const value = what === "embed"
        ? (await workersAiEmbed(env.AI, { model })(texts, { timeoutMs, signal })).map((one) => [...one])
        : await workersAi(env.AI, { model, gateway: { id: "g" } })({ ...asked, timeoutMs, signal });
      return Response.json({ value });
    } catch (error) {
      return Response.json({ error: told(error) });
    }
  },
};
`;

const AI = `
const usage = (completion_tokens) => ({ prompt_tokens: 1, completion_tokens, total_tokens: 1 });

export default () => ({
  async run(model, inputs, { signal }) {
    const { messages, max_tokens, response_format, text } = inputs;
    switch (model) {
      case "@cf/echo":
        return { response: JSON.stringify(inputs), usage: usage(1) };
      case "@cf/json":
        return { response: { asked: response_format, from: messages.length }, usage: usage(1) };
      case "@cf/chat":
        return { choices: [{ finish_reason: "stop", message: { content: "As a choice." } }] };
      case "@cf/refuses":
        return { choices: [{ finish_reason: "stop", message: { content: null, refusal: "no" } }] };
      case "@cf/long":
        return { response: '{"memories":[{"content":"li', usage: usage(max_tokens) };
      case "@cf/long-chat":
        return { choices: [{ finish_reason: "length", message: { content: "It goes on" } }] };
      case "@cf/empty":
        return { response: "" };
      case "@cf/plain":
        if (response_format) throw new Error("5025: This model doesn't support JSON Schema.");
        return { response: "[]" };
      case "@cf/unmet":
        if (response_format) throw new Error("JSON Mode couldn't be met");
        return { response: "[1]" };
      case "@cf/fails":
        throw new Error("3040: Capacity temporarily exceeded, please try again.");
      case "@cf/hangs":
        return new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        });
      case "@cf/embed":
        if (text.length > 100) throw new Error("5006: too many texts");
        return { shape: [text.length, 2], data: text.map(({ length }) => [length, text.length]) };
      case "@cf/short":
        return { shape: [1, 1], data: [[1]] };
      default:
        throw new Error("5007: No such model " + model + " or task");
    }
  },
});
`;

let worker;
let origin;
before(async () => {
  const folder = installPackage();
  const { outputFiles } = await bundle(folder, WORKER, ["workerd", "worker"]);
  const [{ contents }] = outputFiles;
  worker = new Miniflare({
    cf: false,
    host: "127.0.0.1",
    port: 0,
    workers: [
      {
        name: "main",
        compatibilityDate: "2026-04-01",
        modules: [{ type: "ESModule", path: "main.js", contents }],
        wrappedBindings: { AI: { scriptName: "ai" } },
      },
      { name: "ai", modules: [{ type: "ESModule", path: "ai.js", contents: AI }] },
    ],
  });
  ({ origin } = await worker.ready);
});
after(() => worker?.dispose());

async function ask(model, options = {}) {
  const body = {
    model,
    messages: [{ role: "user", content: "Judge this." }],
    json: true,
    schema: { type: "object" },
    maxTokens: 100,
    timeoutMs: 5_000,
    ...options,
  };
  const response = await fetchFrom(origin, { method: "POST", body: JSON.stringify(body) });
  return response.json();
}
const embed = async (model, texts) => ask(model, { what: "embed", texts });

async function failsWith(reason, answered) {
  const { error } = await answered;
  assert.deepEqual([error?.code, error?.reason], ["llm_failed", reason]);
}

test("asks with the messages, the token limit and the schema", async () => {
  const { value } = await ask("@cf/echo");
  assert.deepEqual(JSON.parse(value), {
    messages: [{ role: "user", content: "Judge this." }],
    max_tokens: 100,
    response_format: { type: "json_schema", json_schema: { type: "object" } },
  });
  const { value: text } = await ask("@cf/echo", { json: false });
  assert.equal(JSON.parse(text).response_format, undefined);
});

test("reads a text, an object and a choice", async () => {
  const { value } = await ask("@cf/json", { schema: undefined });
  assert.deepEqual(JSON.parse(value), { asked: { type: "json_object" }, from: 1 });
  assert.equal((await ask("@cf/chat", { json: false })).value, "As a choice.");
});

test("goes on without a format where the model has none, or could not meet it", async () => {
  assert.equal((await ask("@cf/plain")).value, "[]");
  assert.equal((await ask("@cf/unmet")).value, "[1]");
});

test("gives JSON that breaks off to the core, and fails on a text that does", async () => {
  assert.match((await ask("@cf/long")).value, /^\{"memories"/);
  await failsWith("truncated", ask("@cf/long", { json: false }));
  await failsWith("truncated", ask("@cf/long-chat", { json: false }));
});

test("fails on a refusal, an empty answer, a fault of the service and at the deadline", async () => {
  await failsWith("refused", ask("@cf/refuses"));
  await failsWith("empty", ask("@cf/empty"));
  await failsWith("status", ask("@cf/fails"));
  assert.match((await ask("@cf/none")).error.message, /No such model @cf\/none/);
  assert.equal((await ask("@cf/hangs", { timeoutMs: 50 })).error.name, "TimeoutError");
});

test("embeds a hundred texts at a time, one vector for each", async () => {
  const texts = Array.from({ length: 150 }, (_, n) => "x".repeat(n));
  const { value } = await embed("@cf/embed", texts);
  assert.deepEqual(
    value,
    texts.map(({ length }) => [length, length < 100 ? 100 : 50]),
  );
  await failsWith("malformed", embed("@cf/short", ["a", "b"]));
  await failsWith("malformed", embed("@cf/empty", ["a"]));
  await failsWith("status", embed("@cf/fails", ["a"]));
});
