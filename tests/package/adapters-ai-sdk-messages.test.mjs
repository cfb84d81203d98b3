// Messages of the Vercel AI SDK both ways, checked with the SDK itself.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { installBeside } from "./shared/adapters.mjs";
import { importFrom } from "./support.mjs";

const scope = { user: "ana", session: "monday" };

let folder;
let ai;
let adapter;
let Siltstone;
let memoryHost;

before(async () => {
  folder = installBeside("ai", "zod");
  ai = await importFrom(folder, "ai");
  adapter = await importFrom(folder, "siltstone/adapters/ai-sdk");
  ({ Siltstone } = await importFrom(folder, "siltstone"));
  ({ memoryHost } = await importFrom(folder, "siltstone/hosts/memory"));
});

/** What comes back of a value that crosses the store. */
const json = (value) => JSON.parse(JSON.stringify(value));

const create = () => Siltstone.create({ host: memoryHost() });

describe("messages of the SDK", () => {
  const bytes = new Uint8Array([1, 2, 250]);
  const conversation = [
    { role: "system", content: "Be brief.", providerOptions: { x: { cache: true } } },
    { role: "user", content: "Hello" },
    {
      role: "user",
      content: [
        { type: "text", text: "What is this?" },
        { type: "image", image: "https://example.com/a.png" },
        { type: "file", mediaType: "application/pdf", filename: "a.pdf", data: "AQID" },
        { type: "file", mediaType: "image", data: { type: "reference", reference: { x: "f1" } } },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Hm.", providerOptions: { x: { signature: "s" } } },
        { type: "text", text: "Let me look." },
        { type: "tool-call", toolCallId: "c1", toolName: "look", input: { data: { type: "url" } } },
        { type: "tool-call", toolCallId: "c2", toolName: "look", input: { at: 2 } },
      ],
    },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "c1",
          toolName: "look",
          output: { type: "json", value: { data: { type: "url", url: "no URL" } } },
        },
        {
          type: "tool-result",
          toolCallId: "c2",
          toolName: "look",
          output: { type: "error-text", value: "too dark" },
        },
      ],
    },
    {
      role: "assistant",
      content: [
        {
          type: "tool-call",
          toolCallId: "c3",
          toolName: "search",
          input: "tea",
          providerExecuted: true,
        },
        {
          type: "tool-result",
          toolCallId: "c3",
          toolName: "search",
          output: { type: "json", value: [] },
        },
        { type: "text", text: "Nothing." },
      ],
    },
    { role: "assistant", content: "A cat." },
  ];

  test("come back from the store as they were", async () => {
    const memory = await create();
    await memory.append(scope, adapter.fromModelMessages(conversation));
    const { messages } = await memory.messages(scope);
    const back = adapter.toModelMessages(messages);
    assert.deepEqual(back, conversation);
    for (const message of back) {
      ai.modelMessageSchema.parse(message);
    }
    memory.close();
  });

  test("carry bytes and URLs", async () => {
    const url = new URL("https://example.com/a.pdf");
    const file = (data) => ({ type: "file", mediaType: "application/pdf", data });
    const content = [
      file(bytes),
      file(url),
      file({ type: "url", url }),
      file({ type: "data", data: bytes.buffer }),
    ];
    const results = [
      {
        type: "tool-result",
        toolCallId: "c",
        toolName: "t",
        output: { type: "content", value: [] },
      },
    ];
    results[0].output.value = [file({ type: "url", url })];
    const memory = await create();
    const said = [
      { role: "user", content },
      { role: "tool", content: results },
    ];
    await memory.append(scope, adapter.fromModelMessages(said));
    const { messages } = await memory.messages(scope);
    const [user, tool] = adapter.toModelMessages(messages);
    assert.deepEqual(user.content, [
      file("AQL6"),
      file({ type: "url", url }),
      file({ type: "url", url }),
      file({ type: "data", data: "AQL6" }),
    ]);
    assert.deepEqual(tool.content, results);
    memory.close();
  });

  test("are made of messages in OpenAI's shape", () => {
    const call = { id: "c1", type: "function", function: { name: "look", arguments: '{"at":1}' } };
    const messages = adapter.toModelMessages([
      { role: "developer", content: "Be brief." },
      {
        role: "user",
        content: [
          { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } },
          { type: "image_url", image_url: { url: "https://example.com/a.png" } },
          { type: "input_audio", input_audio: { data: "AQID", format: "mp3" } },
          { type: "file", file: { file_id: "f1", filename: "a.pdf" } },
        ],
      },
      { role: "assistant", content: "Let me look.", tool_calls: [call] },
      { role: "tool", tool_call_id: "c1", content: "a cat" },
    ]);
    for (const message of messages) {
      ai.modelMessageSchema.parse(message);
    }
    assert.deepEqual(messages[1].content, [
      { type: "file", mediaType: "image/png", data: { type: "data", data: "AQID" } },
      {
        type: "file",
        mediaType: "image",
        data: { type: "url", url: new URL("https://example.com/a.png") },
      },
      { type: "file", mediaType: "audio/mpeg", data: { type: "data", data: "AQID" } },
      {
        type: "file",
        mediaType: "application/octet-stream",
        data: { type: "reference", reference: { openai: "f1" } },
        filename: "a.pdf",
      },
    ]);
    assert.deepEqual(messages.slice(2), [
      {
        role: "assistant",
        content: [
          { type: "text", text: "Let me look." },
          { type: "tool-call", toolCallId: "c1", toolName: "look", input: { at: 1 } },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "c1",
            toolName: "look",
            output: { type: "text", value: "a cat" },
          },
        ],
      },
    ]);
  });
});

describe("messages for the user interface", () => {
  const tool = (toolCallId, rest) => ({ type: "tool-look", toolCallId, input: { at: 1 }, ...rest });
  const shown = [
    { id: "s", role: "system", parts: [{ type: "text", text: "Be brief." }] },
    {
      id: "u",
      role: "user",
      metadata: { from: "phone" },
      parts: [
        { type: "text", text: "What is this?" },
        {
          type: "file",
          mediaType: "image/png",
          filename: "a.png",
          url: "data:image/png;base64,AQ",
        },
      ],
    },
    {
      id: "a",
      role: "assistant",
      parts: [
        { type: "step-start" },
        { type: "reasoning", text: "Hm.", state: "done", providerMetadata: { x: { sig: "s" } } },
        tool("c1", { state: "output-available", output: { is: "cat" } }),
        tool("c2", { state: "output-error", errorText: "too dark" }),
        { type: "step-start" },
        tool("c3", { state: "output-available", output: "a text" }),
        { type: "step-start" },
        { type: "text", text: "A cat.", state: "done" },
      ],
    },
    {
      id: "b",
      role: "assistant",
      parts: [
        { type: "source-url", sourceId: "1", url: "https://example.com" },
        { type: "data-weather", data: { sun: true } },
        {
          type: "dynamic-tool",
          toolName: "any",
          toolCallId: "c4",
          state: "output-available",
          input: {},
          output: 1,
        },
        { type: "text", text: "Sunny." },
      ],
    },
  ];

  test("come back from the store as they were", async () => {
    const memory = await create();
    const messages = adapter.fromUIMessages(shown);
    assert.deepEqual(
      messages.map(({ meta }) => meta !== undefined),
      [false, true, false, true],
    );
    await memory.append(scope, messages);
    assert.deepEqual(adapter.toUIMessages((await memory.messages(scope)).messages), shown);
    memory.close();
  });

  test("are for the model what the SDK makes of them", async () => {
    const tools = { look: ai.tool({ inputSchema: ai.jsonSchema({}) }) };
    const expected = await ai.convertToModelMessages(shown, { tools });
    const own = adapter.toModelMessages(adapter.fromUIMessages(shown));
    // The SDK names fields that it has no value for.
    assert.deepEqual(json(own), json(expected));
  });
});
