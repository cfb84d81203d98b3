// The adapter for the OpenAI Agents SDK, with the SDK itself and its scripted model.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { checkTypes, examplesOf, installBeside, runIn } from "./shared/adapters.mjs";
import { importFrom } from "./support.mjs";

const scope = { user: "ana", session: "monday" };

let folder;
let sdk;
let testing;
let adapter;
let Siltstone;
let memoryHost;

before(async () => {
  folder = installBeside("@openai/agents", "zod");
  sdk = await importFrom(folder, "@openai/agents");
  testing = await importFrom(folder, "@openai/agents/testing");
  sdk.setTracingDisabled(true);
  adapter = await importFrom(folder, "siltstone/adapters/openai-agents");
  ({ Siltstone } = await importFrom(folder, "siltstone"));
  ({ memoryHost } = await importFrom(folder, "siltstone/hosts/memory"));
});

const create = () => Siltstone.create({ host: memoryHost() });
const open = (memory, of = scope) => new adapter.SiltstoneSession({ memory, scope: of });

const call = (callId) => ({
  type: "function_call",
  callId,
  name: "look",
  arguments: '{"at":1}',
  status: "completed",
});
const result = (callId, text) => ({
  type: "function_call_result",
  callId,
  name: "look",
  status: "completed",
  output: { type: "text", text },
});
const says = (text, more = {}) => ({
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text }],
  ...more,
});

test("the example of the documentation runs and remembers", () => {
  const [example] = examplesOf(folder, "adapters/openai-agents.d.ts");
  const mock = `
    import { setTracingDisabled } from "@openai/agents";
    import { assistantMessage, ScriptedModel } from "@openai/agents/testing";
    setTracingDisabled(true);
    const model = new ScriptedModel([[assistantMessage("Hello Ana.")], [assistantMessage("Ana.")]]);
  `;
  const code = `${mock}${example}
    console.log(JSON.stringify({ finalOutput, input: model.calls[1].request.input }));`;
  const { finalOutput, input } = runIn(folder, "agents-example.mjs", code);
  assert.equal(finalOutput, "Ana.");
  assert.deepEqual(
    input.map(({ role, content }) => [role, content[0].text ?? content]),
    [
      ["user", "I'm Ana."],
      ["assistant", "Hello Ana."],
      ["user", "Who am I?"],
    ],
  );
});

describe("items", () => {
  const items = () => [
    { type: "message", role: "system", content: "Be brief." },
    { role: "user", content: "Hello" },
    {
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text: "What is this?" },
        { type: "input_image", image: "https://example.com/a.png" },
        { type: "input_file", file: { id: "f1" }, filename: "a.pdf" },
        { type: "audio", audio: { data: "AQID", format: "wav" } },
      ],
    },
    { type: "reasoning", id: "r1", content: [{ type: "input_text", text: "Hm." }] },
    says("Let me look.", { id: "m1", providerData: { x: 1 } }),
    call("c1"),
    call("c2"),
    result("c1", "a cat"),
    { ...result("c2"), output: [{ type: "input_text", text: "too dark" }] },
    { type: "hosted_tool_call", name: "web_search", status: "completed", id: "w1" },
    says("A cat."),
    { type: "message", role: "user", content: "Thanks" },
    says("You are welcome."),
  ];

  test("come back from the store as they were", async () => {
    const memory = await create();
    const session = open(memory);
    assert.equal(await session.getSessionId(), "monday");
    await session.addItems(items());
    assert.deepEqual(await session.getItems(), items());
    for (const limit of [1, 3, 5, 7, 50]) {
      assert.deepEqual(await session.getItems(limit), items().slice(-limit), `limit ${limit}`);
    }
    assert.deepEqual(await session.getItems(0), []);
    memory.close();
  });

  test("are messages that a turn keeps together", async () => {
    const memory = await create();
    await open(memory).addItems(items());
    const { messages } = await memory.messages(scope);
    assert.deepEqual(
      messages.map(({ role }) => role),
      ["system", "user", "user", "assistant", "tool", "tool", "assistant", "user", "assistant"],
    );
    assert.deepEqual(
      messages[3].tool_calls.map(({ id }) => id),
      ["c1", "c2"],
    );
    assert.deepEqual(
      messages.map(({ meta }) => meta !== undefined),
      [false, true, false, true, false, true, true, false, false],
    );
    const turn = await memory.load({ scope, message: "And now?" });
    assert.equal(turn.messages.filter(({ role }) => role === "tool").length, 2);
    assert.equal(turn.messages.find(({ role }) => role === "assistant").content, "Let me look.");
    memory.close();
  });

  test("are taken out one by one, and all at once", async () => {
    const memory = await create();
    const session = open(memory);
    await session.addItems(items());
    for (const item of items().reverse()) {
      assert.deepEqual(await session.popItem(), item);
    }
    assert.equal(await session.popItem(), undefined);
    assert.deepEqual(await session.getItems(), []);
    await session.addItems(items());
    await session.addItems([]);
    await session.clearSession();
    assert.deepEqual(await session.getItems(), []);
    await session.addItems([says("Anew")]);
    assert.deepEqual(await session.getItems(), [says("Anew")]);
    memory.close();
  });
});

test("a run with tools goes on in the next one, and other users see nothing of it", async () => {
  const memory = await create();
  const look = sdk.tool({
    name: "look",
    description: "Looks.",
    parameters: (await importFrom(folder, "zod")).z.object({
      at: (await importFrom(folder, "zod")).z.number(),
    }),
    execute: ({ at }) => `seen at ${at}`,
  });
  const model = new testing.ScriptedModel([
    [
      testing.functionCall("look", { at: 1 }, { callId: "c1" }),
      testing.functionCall("look", { at: 2 }, { callId: "c2" }),
    ],
    [testing.assistantMessage("A cat.")],
    [testing.assistantMessage("Still a cat.")],
  ]);
  const agent = new sdk.Agent({ name: "Helper", model, tools: [look] });
  const session = open(memory);
  const first = await sdk.run(agent, "What is this?", { session });
  assert.equal(first.finalOutput, "A cat.");
  await sdk.run(agent, "And now?", { session });
  const { input } = model.calls[2].request;
  assert.deepEqual(
    input.map(({ type, role }) => role ?? type),
    [
      "user",
      "function_call",
      "function_call",
      "function_call_result",
      "function_call_result",
      "assistant",
      "user",
    ],
  );
  const turn = await memory.load({ scope, message: "And?" });
  assert.deepEqual(
    turn.messages.map(({ role }) => role),
    ["user", "assistant", "tool", "tool", "assistant", "user", "assistant", "user"],
  );
  assert.deepEqual(await open(memory, { ...scope, user: "bo" }).getItems(), []);
  memory.close();
});

test("the types hold for strict users", () => {
  checkTypes(
    folder,
    `
    import { type AgentInputItem, Agent, run, type Session } from "@openai/agents";
    import { Siltstone, type Message } from "siltstone";
    import { fromAgentItems, SiltstoneSession, toAgentItems } from "siltstone/adapters/openai-agents";
    import { memoryHost } from "siltstone/hosts/memory";

    export async function ask(agent: Agent): Promise<AgentInputItem[]> {
      const memory = await Siltstone.create({ host: memoryHost() });
      const session: Session = new SiltstoneSession({ memory, scope: { user: "u", session: "s" } });
      await run(agent, "Hi", { session });
      const kept: Message[] = fromAgentItems(await session.getItems());
      return toAgentItems(kept);
    }
    // @ts-expect-error: a session has to be named.
    new SiltstoneSession({ memory: {} as Siltstone, scope: { user: "u" } });
  `,
  );
});
