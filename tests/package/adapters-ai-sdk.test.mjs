// The adapter for the Vercel AI SDK, with the SDK itself and its mock model.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { checkTypes, examplesOf, installBeside, runIn } from "./shared/adapters.mjs";
import { importFrom } from "./support.mjs";

const scope = { user: "ana", session: "monday" };
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const finish = (unified) => ({ unified, raw: undefined });

let folder;
let ai;
let MockLanguageModelV4;
let adapter;
let Siltstone;
let memoryHost;

before(async () => {
  folder = installBeside("ai", "zod");
  ai = await importFrom(folder, "ai");
  ({ MockLanguageModelV4 } = await importFrom(folder, "ai/test"));
  adapter = await importFrom(folder, "siltstone/adapters/ai-sdk");
  ({ Siltstone } = await importFrom(folder, "siltstone"));
  ({ memoryHost } = await importFrom(folder, "siltstone/hosts/memory"));
});

const create = (options = {}) => Siltstone.create({ host: memoryHost(), ...options });
const stored = async (memory, of = scope) =>
  (await memory.messages(of)).messages.map(({ id: _, createdAt: __, ...message }) => message);

/** A model that gives these contents, one for each call. */
function model(...contents) {
  let calls = 0;
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const content = contents[calls++] ?? [{ type: "text", text: "Yes." }];
      const waits = content.some((part) => part.type === "tool-call" && !part.providerExecuted);
      return { content, finishReason: finish(waits ? "tool-calls" : "stop"), usage, warnings: [] };
    },
  });
}

/** A model that streams these parts, then waits for `hold`. */
function streamingModel(parts, hold) {
  return new MockLanguageModelV4({
    doStream: async ({ abortSignal }) => ({
      stream: new ReadableStream({
        async start(controller) {
          abortSignal?.addEventListener("abort", () => controller.error(abortSignal.reason));
          for (const part of parts) {
            controller.enqueue(part);
          }
          await hold;
          if (!abortSignal?.aborted) {
            controller.close();
          }
        },
      }),
    }),
  });
}

const textParts = (...deltas) => [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "1" },
  ...deltas.map((delta) => ({ type: "text-delta", id: "1", delta })),
];
const ended = [
  { type: "text-end", id: "1" },
  { type: "finish", usage, finishReason: finish("stop") },
];

const remembering = (memory, inner, options = { scope }) =>
  ai.wrapLanguageModel({ model: inner, middleware: adapter.siltstoneMemory(memory, options) });

describe("the examples of the documentation run:", () => {
  const mock = `
    import { MockLanguageModelV4 } from "ai/test";
    const usage = ${JSON.stringify(usage)};
    const model = new MockLanguageModelV4({
      doGenerate: async ({ prompt }) => ({
        content: [{ type: "text", text: String(prompt.length) }],
        finishReason: { unified: "stop" }, usage, warnings: [],
      }),
    });
  `;

  test("a model that remembers", () => {
    const [example] = examplesOf(folder, "adapters/ai-sdk/memory.d.ts");
    const code = `${mock}${example}
      console.log(JSON.stringify({ text, prompt: model.doGenerateCalls[1].prompt }));`;
    const { text, prompt } = runIn(folder, "example.mjs", code);
    assert.equal(text, "3");
    assert.deepEqual(
      prompt.map(({ role, content }) => [role, content[0].text]),
      [
        ["user", "I'm Ana, and vegan."],
        ["assistant", "1"],
        ["user", "Who am I?"],
      ],
    );
  });

  test("a turn that is loaded and stored by hand", () => {
    const [example] = examplesOf(folder, "adapters/ai-sdk/messages.d.ts");
    const code = `${mock}${example}
      console.log(JSON.stringify(await memory.messages(scope)));`;
    const { messages } = runIn(folder, "by-hand.mjs", code);
    assert.deepEqual(
      messages.map(({ role, content }) => [role, content[0].text ?? content]),
      [
        ["user", "I'm Ana."],
        ["assistant", "2"],
      ],
    );
  });
});

describe("the middleware", () => {
  test("gives the system message, memories and history, and stores the turn", async () => {
    const config = { agent: { longMemory: true, model: "m" } };
    const memory = await create({ config });
    await memory.memories({ user: "ana" }).add({ content: "Is allergic to peanuts" });
    const inner = model([{ type: "text", text: "Hello Ana." }]);
    const system = "Be brief.";
    await ai.generateText({ model: remembering(memory, inner), system, prompt: "I'm Ana." });
    const messages = [
      { role: "user", content: "What the client still had" },
      { role: "assistant", content: "is left out" },
      { role: "user", content: "Which snack without peanuts?" },
    ];
    await ai.generateText({ model: remembering(memory, inner), system, messages });
    const { prompt } = inner.doGenerateCalls[1];
    assert.deepEqual(
      prompt.map(({ role }) => role),
      ["system", "system", "user", "assistant", "user"],
    );
    assert.equal(prompt[0].content, system);
    assert.match(prompt[1].content, /peanuts/);
    assert.deepEqual(prompt[3].content, [{ type: "text", text: "Hello Ana." }]);
    assert.deepEqual(await stored(memory), [
      { role: "user", content: "I'm Ana." },
      { role: "assistant", content: "Hello Ana." },
      { role: "user", content: "Which snack without peanuts?" },
      { role: "assistant", content: "Yes." },
    ]);
    memory.close();
  });

  test("keeps calls of tools and their results, also those that failed, in the turn", async () => {
    const memory = await create();
    const calls = ["c1", "c2"].map((toolCallId) => ({
      type: "tool-call",
      toolCallId,
      toolName: "look",
      input: JSON.stringify({ id: toolCallId }),
    }));
    const inner = model(calls, [{ type: "text", text: "A cat." }]);
    const execute = ({ id }) => {
      if (id === "c2") {
        throw new Error("too dark");
      }
      return { is: "cat" };
    };
    const { text } = await ai.generateText({
      model: remembering(memory, inner),
      tools: { look: ai.tool({ inputSchema: ai.jsonSchema({ type: "object" }), execute }) },
      stopWhen: ai.stepCountIs(3),
      prompt: "What is this?",
    });
    assert.equal(text, "A cat.");
    assert.deepEqual(
      inner.doGenerateCalls[1].prompt.map(({ role }) => role),
      ["user", "assistant", "tool"],
    );
    const kept = await stored(memory);
    assert.deepEqual(
      kept.map(({ role }) => role),
      ["user", "assistant", "tool", "assistant"],
    );
    assert.deepEqual(
      kept[2].content.map(({ output }) => output),
      [
        { type: "json", value: { is: "cat" } },
        { type: "error-text", value: "Error: too dark" },
      ],
    );
    await ai.generateText({ model: remembering(memory, inner), prompt: "And now?" });
    const { prompt } = inner.doGenerateCalls[2];
    assert.deepEqual(
      prompt.map(({ role }) => role),
      ["user", "assistant", "tool", "assistant", "user"],
    );
    assert.deepEqual(prompt[1].content[0].input, { id: "c1" });
    memory.close();
  });

  test("stores what a user interface shows as one message, a step for each answer", async () => {
    const memory = await create();
    const call = { type: "tool-call", toolCallId: "c1", toolName: "look", input: '{"at":1}' };
    await ai.generateText({
      model: remembering(memory, model([call], [{ type: "text", text: "A cat." }])),
      tools: { look: ai.tool({ inputSchema: ai.jsonSchema({}), execute: () => "cat" }) },
      stopWhen: ai.stepCountIs(3),
      prompt: "What is this?",
    });
    const { messages } = await memory.messages(scope);
    const [user, assistant, ...rest] = adapter.toUIMessages(messages);
    assert.deepEqual(rest, []);
    assert.equal(user.id, messages[0].id);
    assert.deepEqual(assistant.parts, [
      { type: "step-start" },
      {
        type: "tool-look",
        toolCallId: "c1",
        state: "output-available",
        input: { at: 1 },
        output: "cat",
      },
      { type: "step-start" },
      { type: "text", text: "A cat." },
    ]);
    assert.equal((await ai.safeValidateUIMessages({ messages: [user, assistant] })).success, true);
    memory.close();
  });

  test("streams and stores what was streamed by the time the stream ends", async () => {
    const memory = await create();
    const thinking = [
      { type: "reasoning-start", id: "r" },
      { type: "reasoning-delta", id: "r", delta: "Hm." },
      { type: "reasoning-end", id: "r", providerMetadata: { x: { signature: "s" } } },
    ];
    const inner = streamingModel([...thinking, ...textParts("A ", "cat."), ...ended]);
    const { textStream } = ai.streamText({ model: remembering(memory, inner), prompt: "Who?" });
    let text = "";
    for await (const delta of textStream) {
      text += delta;
    }
    assert.equal(text, "A cat.");
    assert.deepEqual(await stored(memory), [
      { role: "user", content: "Who?" },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Hm.", providerOptions: { x: { signature: "s" } } },
          { type: "text", text: "A cat." },
        ],
      },
    ]);
    memory.close();
  });

  test("stores the text that had come when a stream is aborted", async () => {
    const memory = await create();
    const never = new Promise(() => {});
    const aborting = new AbortController();
    const work = [];
    const options = { scope, waitUntil: (promise) => work.push(promise) };
    const { textStream } = ai.streamText({
      model: remembering(memory, streamingModel(textParts("Once upon"), never), options),
      prompt: "Tell me a story.",
      abortSignal: aborting.signal,
      onError: () => {},
    });
    for await (const _ of textStream) {
      aborting.abort();
    }
    assert.equal(work.length > 0, true);
    await Promise.all(work);
    assert.deepEqual(await stored(memory), [
      { role: "user", content: "Tell me a story." },
      { role: "assistant", content: "Once upon", meta: { incomplete: true } },
    ]);
    memory.close();
  });

  test("stores the text that had come when nobody reads on", async () => {
    const memory = await create();
    const never = new Promise(() => {});
    const wrapped = remembering(memory, streamingModel(textParts("Once upon"), never));
    const prompt = [{ role: "user", content: [{ type: "text", text: "Tell me a story." }] }];
    const { stream } = await wrapped.doStream({ prompt });
    const reader = stream.getReader();
    for (let delta; delta === undefined; ) {
      ({ delta } = (await reader.read()).value);
    }
    await reader.cancel();
    assert.deepEqual(
      (await stored(memory)).map(({ content }) => content),
      ["Tell me a story.", "Once upon"],
    );
    memory.close();
  });

  test("stores nothing of a stream that is aborted or fails before it says anything", async () => {
    const memory = await create();
    const failing = streamingModel([
      { type: "stream-start", warnings: [] },
      { type: "error", error: new Error("overloaded") },
      { type: "finish", usage, finishReason: finish("error") },
    ]);
    const streamed = ai.streamText({
      model: remembering(memory, failing),
      prompt: "Hello?",
      maxRetries: 0,
      onError: () => {},
    });
    await streamed.consumeStream();
    assert.deepEqual(await stored(memory), []);
    const broken = new MockLanguageModelV4({
      doGenerate: async () => {
        throw new Error("overloaded");
      },
    });
    const call = { model: remembering(memory, broken), prompt: "Hello?", maxRetries: 0 };
    await assert.rejects(ai.generateText(call), /overloaded/);
    assert.deepEqual(await stored(memory), []);
    memory.close();
  });

  test("takes the scope from the call, and leaves a call without one alone", async () => {
    const memory = await create();
    const inner = model();
    const wrapped = remembering(memory, inner, {});
    await ai.generateText({ model: wrapped, prompt: "Untold" });
    const ask = (siltstone) =>
      ai.generateText({ model: wrapped, prompt: "Hi", providerOptions: { siltstone } });
    await ask({ user: "ana", session: "a", messageId: "m1" });
    await ask({ user: "bo", session: "b" });
    assert.equal((await memory.messages({ user: "ana", session: "a" })).messages[0].id, "m1");
    assert.equal((await stored(memory, { user: "bo", session: "b" })).length, 2);
    assert.deepEqual(await stored(memory), []);
    await assert.rejects(ask({ session: "a" }), { name: "SiltstoneError", code: "invalid_input" });
    memory.close();
  });

  test("goes on without a memory that fails where `onError` takes the fault", async () => {
    const broken = memoryHost();
    broken.store = {
      get: () => Promise.reject(new Error("down")),
      range: () => Promise.reject(new Error("down")),
      commit: () => Promise.reject(new Error("down")),
    };
    const memory = await create({ host: { ...broken, log: () => {} } });
    const faults = [];
    const options = { scope, onError: (error) => faults.push(error.code) };
    const call = { prompt: "Hi", maxRetries: 0 };
    const { text } = await ai.generateText({
      ...call,
      model: remembering(memory, model(), options),
    });
    assert.equal(text, "Yes.");
    assert.deepEqual(faults, ["store_failed", "store_failed"]);
    await assert.rejects(ai.generateText({ ...call, model: remembering(memory, model()) }), {
      code: "store_failed",
    });
    memory.close();
  });
});

test("the types hold for strict users", () => {
  checkTypes(
    folder,
    `
    import { generateText, wrapLanguageModel, type LanguageModel, type ModelMessage, type UIMessage } from "ai";
    import { Siltstone, type Message } from "siltstone";
    import { fromModelMessages, fromUIMessages, siltstoneMemory, toModelMessages, toUIMessages } from "siltstone/adapters/ai-sdk";
    import { memoryHost } from "siltstone/hosts/memory";

    type Inner = Parameters<typeof wrapLanguageModel>[0]["model"];
    export async function ask(model: Inner, plain: LanguageModel, ctx: { waitUntil(promise: Promise<unknown>): void }) {
      const memory = await Siltstone.create({ host: memoryHost() });
      const scope = { user: "u", session: "s" };
      const middleware = siltstoneMemory(memory, {
        scope: ({ headers }) => (headers ? scope : undefined),
        onError: (error: unknown) => console.error(error),
        waitUntil: (promise) => ctx.waitUntil(promise),
      });
      await generateText({ model: wrapLanguageModel({ model, middleware }), prompt: "Hi" });
      const turn = await memory.load({ scope, message: "Hi" });
      const messages: ModelMessage[] = toModelMessages(turn);
      const { response } = await generateText({ model: plain, messages, allowSystemInMessages: true });
      await memory.append(scope, fromModelMessages(response.messages));
      const shown: UIMessage[] = toUIMessages((await memory.messages(scope)).messages);
      const kept: Message[] = fromUIMessages(shown);
      return kept;
    }
    // @ts-expect-error: a scope names a session.
    siltstoneMemory({} as Siltstone, { scope: { user: "u" } });
  `,
  );
});
