// The adapter for LangChain.js, with @langchain/core itself.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { checkTypes, examplesOf, installBeside, runIn } from "./shared/adapters.mjs";
import { importFrom } from "./support.mjs";

const scope = { user: "ana", session: "monday" };

let folder;
let lc;
let runnables;
let adapter;
let Siltstone;
let memoryHost;

before(async () => {
  folder = installBeside("@langchain/core");
  lc = await importFrom(folder, "@langchain/core/messages");
  runnables = await importFrom(folder, "@langchain/core/runnables");
  adapter = await importFrom(folder, "siltstone/adapters/langchain");
  ({ Siltstone } = await importFrom(folder, "siltstone"));
  ({ memoryHost } = await importFrom(folder, "siltstone/hosts/memory"));
});

const create = () => Siltstone.create({ host: memoryHost() });
const dicts = (messages) => messages.map((message) => JSON.parse(JSON.stringify(message.toDict())));
const history = (memory, options = {}) =>
  new adapter.SiltstoneChatMessageHistory({ memory, scope, ...options });

/** A model that says how many messages it was given. */
const MODEL = `
  import { AIMessage as Ai } from "@langchain/core/messages";
  import { RunnableLambda } from "@langchain/core/runnables";
  const given = [];
  const model = RunnableLambda.from((input) => {
    given.push(input.map(({ content }) => content));
    return new Ai(String(input.length));
  });
`;

describe("the examples of the documentation run:", () => {
  test("a chat history", () => {
    const [example] = examplesOf(folder, "adapters/langchain/history.d.ts");
    const code = `${MODEL}${example}
      console.log(JSON.stringify({ answer: answer.content, given }));`;
    const { answer, given } = runIn(folder, "history-example.mjs", code);
    assert.equal(answer, "3");
    assert.deepEqual(given[1], ["I'm Ana.", "1", "Who am I?"]);
  });

  test("a trimmer", () => {
    const [example] = examplesOf(folder, "adapters/langchain/trim.d.ts");
    const code = `${MODEL}${example}
      console.log(JSON.stringify({ answer: answer.content, given }));`;
    const { given } = runIn(folder, "trim-example.mjs", code);
    assert.deepEqual(given, [["Be brief.", "And in short?"]]);
  });
});

describe("messages", () => {
  test("come back from the store as they were", async () => {
    const call = { id: "c1", name: "look", args: { at: 1 }, type: "tool_call" };
    const messages = [
      new lc.SystemMessage("Be brief."),
      new lc.HumanMessage({
        id: "h1",
        name: "ana",
        content: [
          { type: "text", text: "What is this?" },
          { type: "image_url", image_url: { url: "https://example.com/a.png" } },
          { type: "file", source_type: "base64", mime_type: "application/pdf", data: "AQID" },
        ],
      }),
      new lc.AIMessage({
        id: "a1",
        content: "Let me look.",
        tool_calls: [call],
        usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
        response_metadata: { model: "m" },
      }),
      new lc.ToolMessage({
        id: "t1",
        content: "too dark",
        tool_call_id: "c1",
        name: "look",
        status: "error",
        artifact: { trace: [1] },
      }),
      new lc.AIMessage({ id: "a2", content: [{ type: "reasoning", reasoning: "Hm." }] }),
      new lc.AIMessage({ id: "a3", content: "A cat." }),
      new lc.ChatMessage({ id: "c", content: "Is it?", role: "critic" }),
    ];
    const memory = await create();
    const own = history(memory);
    await own.addMessages(messages);
    const back = await own.getMessages();
    assert.deepEqual(
      dicts(back).slice(1),
      dicts(messages).slice(1),
      "the first one had no id and got one",
    );
    assert.deepEqual(
      back.map(({ constructor: made }) => made.name),
      messages.map(({ constructor: made }) => made.name),
    );
    const { messages: kept } = await memory.messages(scope);
    assert.deepEqual(
      kept.map(({ role, meta }) => [role, meta !== undefined]),
      [
        ["system", false],
        ["user", false],
        ["assistant", true],
        ["tool", true],
        ["assistant", false],
        ["assistant", false],
        ["user", true],
      ],
    );
    assert.deepEqual(kept[2].tool_calls, [
      { id: "c1", type: "function", function: { name: "look", arguments: '{"at":1}' } },
    ]);
    memory.close();
  });

  test("that others stored are read, and a removal is refused", async () => {
    const [ai, tool] = adapter.toLangChain([
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: '{"a":1}' } }],
      },
      { role: "tool", tool_call_id: "c", content: "done" },
    ]);
    assert.deepEqual(ai.tool_calls, [{ id: "c", name: "f", args: { a: 1 }, type: "tool_call" }]);
    assert.equal(tool.tool_call_id, "c");
    assert.throws(() => adapter.fromLangChain([new lc.RemoveMessage({ id: "x" })]), {
      code: "invalid_input",
      path: "messages",
    });
  });
});

test("the history is read to its beginning or up to a limit, and cleared", async () => {
  const memory = await create();
  const own = history(memory);
  const said = Array.from({ length: 1_700 }, (_, index) => new lc.HumanMessage(`number ${index}`));
  await own.addMessages(said.slice(0, 1_000));
  await own.addMessages(said.slice(1_000));
  const contents = (messages) => messages.map(({ content }) => content);
  assert.deepEqual(contents(await own.getMessages()), contents(said));
  assert.deepEqual(contents(await history(memory, { limit: 2 }).getMessages()), [
    "number 1698",
    "number 1699",
  ]);
  await own.clear();
  assert.deepEqual(await own.getMessages(), []);
  await own.addUserMessage("Anew");
  assert.deepEqual(contents(await own.getMessages()), ["Anew"]);
  memory.close();
});

describe("the trimmer", () => {
  const long = "many words that say little ".repeat(20);
  const conversation = () => {
    const call = { id: "c1", name: "look", args: {}, type: "tool_call" };
    return [
      new lc.HumanMessage(long),
      new lc.AIMessage(long),
      new lc.HumanMessage("What is this?"),
      new lc.AIMessage({ content: "", tool_calls: [call], response_metadata: { kept: true } }),
      new lc.ToolMessage({ content: "a cat", tool_call_id: "c1" }),
      new lc.AIMessage("A cat."),
      new lc.SystemMessage("Be brief."),
      new lc.HumanMessage("And now?"),
    ];
  };

  test("keeps the newest turns that fit and gives the messages that it was given", async () => {
    const messages = conversation();
    const window = await adapter.trimMessages(messages, { maxTokens: 80 });
    assert.deepEqual(window, [messages[6], ...messages.slice(2, 6), messages[7]]);
    assert.ok(window.every((message) => messages.includes(message)));
  });

  test("drops a call with its results, never one without the other", async () => {
    const messages = conversation();
    for (let maxTokens = 12; maxTokens < 90; maxTokens += 3) {
      const window = await adapter.trimMessages(messages, { maxTokens }).catch(({ code }) => code);
      if (window === "budget_exceeded") {
        continue;
      }
      const has = (index) => window.includes(messages[index]);
      assert.equal(has(3), has(4), `with ${maxTokens} tokens`);
      assert.equal(has(3), has(2), `with ${maxTokens} tokens`);
    }
  });

  test("keeps what follows the last human message whole, within the budget", async () => {
    const messages = conversation().slice(0, 5);
    const trimmed = await adapter.trimMessages(messages, { maxTokens: 60 });
    assert.deepEqual(trimmed, messages.slice(2));
    await assert.rejects(adapter.trimMessages(messages, { maxTokens: 5 }), {
      code: "budget_exceeded",
    });
  });

  test("is a runnable, counts with your counter, and cuts a message that is too long", async () => {
    const counter = (text) => text.length;
    const trimmer = adapter.trimMessages({ maxTokens: 100, counter });
    assert.ok(trimmer instanceof runnables.Runnable);
    const [cut] = await trimmer.invoke([new lc.HumanMessage({ content: long, name: "ana" })]);
    assert.ok(cut.content.length < 100);
    assert.match(cut.content, /\[cut\]$/);
    assert.equal(cut.name, "ana");
    const message = new lc.HumanMessage("Hi");
    assert.deepEqual(await trimmer.invoke([message]), [message]);
    assert.deepEqual(await trimmer.invoke([]), []);
  });
});

test("the types hold for strict users", () => {
  checkTypes(
    folder,
    `
    import type { BaseListChatMessageHistory } from "@langchain/core/chat_history";
    import { AIMessage, HumanMessage, type BaseMessage } from "@langchain/core/messages";
    import { RunnableLambda, RunnableWithMessageHistory } from "@langchain/core/runnables";
    import { Siltstone, type Message } from "siltstone";
    import { fromLangChain, SiltstoneChatMessageHistory, toLangChain, trimMessages } from "siltstone/adapters/langchain";
    import { memoryHost } from "siltstone/hosts/memory";

    const memory = await Siltstone.create({ host: memoryHost() });
    const open = (session: string): BaseListChatMessageHistory =>
      new SiltstoneChatMessageHistory({ memory, scope: { user: "u", session }, limit: 50 });
    const model = RunnableLambda.from((_: BaseMessage[]) => new AIMessage("Hi"));
    export const chat = new RunnableWithMessageHistory({
      runnable: trimMessages({ maxTokens: 1_000, tokens: { encoding: "estimate" } }).pipe(model),
      getMessageHistory: open,
    });
    const kept: Message[] = fromLangChain([new HumanMessage("Hi")]);
    export const back: BaseMessage[] = await trimMessages(toLangChain(kept), { maxTokens: 10 });
    // @ts-expect-error: a budget has to be named.
    trimMessages({});
  `,
  );
});
