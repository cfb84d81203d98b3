// The whole chat app in workerd, over HTTP, with its offline stand-in for a language model.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { startServer } from "../../scripts/lib/server.mjs";
import { request } from "./support.mjs";

let server;

before(async () => {
  server = await startServer();
});
after(() => server?.dispose());

const post = (path, body, headers = {}) =>
  request(server.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

async function ok(response) {
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text);
}

const get = async (path, query) =>
  ok(await request(`${server.url}${path}?${new URLSearchParams(query)}`));

/** Sends a message and gives the events that come back. */
async function chat(user, session, message, id = randomUUID()) {
  const response = await post("/api/chat", { user, session, message, id });
  assert.equal(response.status, 200);
  const events = (await response.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.equal(events.at(-1).type, "done", JSON.stringify(events.at(-1)));
  const text = events.map((event) => event.text ?? "").join("");
  return { ...events[0], text, types: new Set(events.map(({ type }) => type)) };
}

const end = async (user, session) => ok(await post("/api/end", { user, session }));

/** Checks the answer to a request that is wrong, and the path of the field where one is given. */
async function refuses(response, status, code, path) {
  const { error } = await response.json();
  const answered = { status: response.status, code: error.code, path: path && error.path };
  assert.deepEqual(answered, { status, code, path });
  assert.equal(typeof error.message, "string");
}

describe("a conversation", () => {
  test("is remembered in the next session", async () => {
    const user = randomUUID();
    const first = await chat(user, "one", "I live in Hangzhou.");
    assert.deepEqual([...first.types], ["turn", "text", "done"]);
    assert.match(first.text, /Noted/);
    assert.equal(first.report.historySource, "none");
    assert.match(
      (await chat(user, "one", "Where do I live?")).text,
      /earlier in this session.*Hangzhou/,
    );

    const report = await end(user, "one");
    assert.equal(report.status, "done");
    assert.equal(report.judgedBy, "rules");
    assert.equal(report.stored.length, 1);

    const next = await chat(user, "two", "Where do I live?");
    assert.match(next.text, /remember.*Hangzhou/);
    assert.equal(next.report.recall.hits.length, 1);
    assert.match((await chat(randomUUID(), "two", "Where do I live?")).text, /don't know/);

    const { sessions } = await get("/api/sessions", { user });
    assert.deepEqual(sessions.map(({ session, messages }) => [session, messages]).sort(), [
      ["one", 4],
      ["two", 2],
    ]);
    const { messages } = await get("/api/messages", { user, session: "one" });
    assert.deepEqual(
      messages.map(({ role }) => role),
      ["user", "assistant", "user", "assistant"],
    );
  });

  test("is remembered in Chinese", async () => {
    const user = randomUUID();
    await chat(user, "one", "我住在杭州。");
    await end(user, "one");
    assert.match((await chat(user, "two", "我住在哪里？")).text, /杭州/);
  });

  test("keeps its order and its messages when they are sent at the same time", async () => {
    const user = randomUUID();
    const said = Array.from({ length: 8 }, (_, n) => `Number ${n} is said.`);
    await Promise.all(said.map((message) => chat(user, "busy", message)));
    const { messages } = await get("/api/messages", { user, session: "busy" });
    assert.deepEqual(
      messages.map(({ role }) => role),
      said.flatMap(() => ["user", "assistant"]),
    );
    assert.deepEqual(
      messages
        .filter(({ role }) => role === "user")
        .map(({ content }) => content)
        .sort(),
      said,
    );
  });

  test("serves many users at the same time", async () => {
    const users = Array.from({ length: 12 }, () => randomUUID());
    await Promise.all(
      users.map(async (user, n) => {
        await chat(user, "one", `My name is Person${n}.`);
        await end(user, "one");
        const { text } = await chat(user, "two", "What is my name?");
        assert.match(text, new RegExp(`Person${n}\\b`));
        assert.equal((await get("/api/memories", { user })).total, 1);
      }),
    );
  });

  test("stores a message once that is sent twice", async () => {
    const user = randomUUID();
    await chat(user, "one", "Hello!", "same");
    await chat(user, "one", "Hello!", "same");
    const { messages } = await get("/api/messages", { user, session: "one" });
    assert.equal(messages.length, 2);
  });

  test("goes on to its end when nobody listens any more", async () => {
    const user = randomUUID();
    const controller = new AbortController();
    const body = JSON.stringify({ user, session: "one", message: "I live in Rome.", id: "x" });
    const headers = { "content-type": "application/json" };
    const options = { method: "POST", headers, body, signal: controller.signal };
    await request(`${server.url}/api/chat`, options);
    controller.abort();
    await chat(user, "one", "Still there?");
    const { messages } = await get("/api/messages", { user, session: "one" });
    assert.equal(messages.length, 4);
  });
});

test("memories are pinned, changed and forgotten", async () => {
  const user = randomUUID();
  const change = (id, action, fields = {}) =>
    post(`/api/memories/${encodeURIComponent(id)}/${action}`, { user, ...fields });
  await chat(user, "one", "My favourite colour is green.");
  await end(user, "one");
  const [memory] = (await get("/api/memories", { user })).memories;
  assert.equal((await ok(await change(memory.id, "pin"))).isPinned, true);
  assert.equal((await ok(await change(memory.id, "unpin"))).isPinned, false);
  const content = "The user's favourite colour is blue.";
  const updated = await ok(await change(memory.id, "update", { content }));
  const { versions } = await get(`/api/memories/${updated.id}/history`, { user });
  assert.deepEqual(
    versions.map((version) => version.content),
    [memory.content, content],
  );
  await refuses(
    await post(`/api/memories/${updated.id}/forget`, { user: randomUUID() }),
    404,
    "not_found",
  );
  const reverted = await ok(await change(updated.id, "revert", { to: memory.id }));
  assert.deepEqual([reverted.content, reverted.version], [memory.content, 3]);
  await refuses(await change(reverted.id, "revert"), 400, "invalid_input", "to");

  await ok(await change(reverted.id, "forget"));
  const gone = await get("/api/memories", { user });
  assert.deepEqual([gone.memories, gone.total, gone.stats.forgotten], [[], 0, 1]);
  assert.deepEqual(
    gone.forgotten.map(({ id }) => id),
    [reverted.id],
  );
  assert.match((await chat(user, "two", "What is my favourite colour?")).text, /don't know/);
  await ok(await change(reverted.id, "restore"));
  assert.match((await chat(user, "two", "What is my favourite colour?")).text, /green/);

  await ok(await change(reverted.id, "delete"));
  const { memories, forgotten, stats } = await get("/api/memories", { user });
  assert.deepEqual([memories, forgotten, stats.total], [[], [], 0]);
  await refuses(await change(reverted.id, "restore"), 404, "not_found");
});

test("a contradiction is a question until it is answered", async () => {
  const user = randomUUID();
  for (const day of [5, 6]) {
    await chat(user, `${day}`, `My birthday is on May ${day}.`);
    await end(user, `${day}`);
  }
  const { questions, total } = await get("/api/memories", { user });
  assert.deepEqual([questions.length, total], [1, 2]);
  const answer = (fields) =>
    post(`/api/questions/${encodeURIComponent(questions[0].id)}/answer`, { user, ...fields });
  await refuses(await answer({}), 400, "invalid_input", "keep");
  await refuses(await answer({ keep: "neither" }), 400, "invalid_input", "keep");
  await ok(await answer({ keep: "old" }));
  await refuses(await answer({ keep: "old" }), 404, "not_found");
  const after = await get("/api/memories", { user });
  assert.deepEqual(after.questions, []);
  assert.deepEqual(
    after.memories.map(({ content }) => /May \d/.exec(content)[0]),
    ["May 5"],
  );
});

describe("what the API refuses", () => {
  const said = { user: "u", session: "s", message: "Hi", id: "1" };

  test("requests that are wrong", async () => {
    await refuses(await post("/api/chat", "{"), 400, "invalid_input");
    await refuses(await post("/api/chat", "[]"), 400, "invalid_input");
    await refuses(
      await post("/api/chat", { ...said, message: 5 }),
      400,
      "invalid_input",
      "message",
    );
    await refuses(await post("/api/chat", { ...said, user: " " }), 400, "invalid_input", "user");
    await refuses(await post("/api/end", { user: "u" }), 400, "invalid_input", "session");
    await refuses(
      await post("/api/end", { user: "u".repeat(200), session: "s" }),
      413,
      "too_large",
      "user",
    );
    await refuses(
      await post("/api/chat", { ...said, message: "x".repeat(1_100_000) }),
      413,
      "too_large",
    );
    await refuses(await request(`${server.url}/api/memories`), 400, "invalid_input", "user");
    await refuses(await request(`${server.url}/api/nothing`), 404, "not_found");
    await refuses(await post("/api/memories/none/pin", { user: "u" }), 404, "not_found");
    await refuses(
      await post("/api/memories/%E0%A4%A/pin", { user: "u" }),
      400,
      "invalid_input",
      "id",
    );
    const text = { "content-type": "text/plain" };
    await refuses(await post("/api/chat", said, text), 415, "invalid_input");
  });

  test("requests of other sites", async () => {
    await refuses(
      await post("/api/chat", said, { origin: "https://evil.example" }),
      403,
      "not_allowed",
    );
    await ok(await post("/api/end", { user: "u", session: "s" }, { origin: server.url }));
  });
});

test("a configured language model answers, judges, and may fail", async (t) => {
  const asked = [];
  let isDown = false;
  const model = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) {
      text += chunk;
    }
    const body = JSON.parse(text);
    asked.push(body);
    if (isDown) {
      response.writeHead(503).end("overloaded");
    } else if (body.stream) {
      const delta = { choices: [{ delta: { content: "Nice to meet you." } }] };
      response.end(`data: ${JSON.stringify(delta)}\n\ndata: [DONE]\n\n`);
    } else {
      const content = '{"memories":[{"content":"User lives in Hangzhou","category":"profile"}]}';
      response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: "stop" }] }));
    }
  });
  await new Promise((resolve) => model.listen(0, "127.0.0.1", resolve));
  const bindings = {
    OPENAI_BASE_URL: `http://127.0.0.1:${model.address().port}/v1`,
    OPENAI_API_KEY: "sk-test",
    OPENAI_MODEL: "small",
  };
  const offline = server;
  server = await startServer({ bindings });
  t.after(async () => {
    await server.dispose();
    server = offline;
    model.closeAllConnections();
    model.close();
  });

  assert.equal((await chat("u", "one", "I live in Hangzhou.")).text, "Nice to meet you.");
  const report = await end("u", "one");
  assert.equal(report.judgedBy, "llm");
  assert.deepEqual(
    report.stored.map(({ content }) => content),
    ["User lives in Hangzhou"],
  );
  await chat("u", "two", "Where do I live?");
  const { messages } = asked.at(-1);
  assert.match(JSON.stringify(messages), /User lives in Hangzhou/);
  assert.deepEqual([...new Set(messages.flatMap((message) => Object.keys(message)))].sort(), [
    "content",
    "name",
    "role",
  ]);

  isDown = true;
  const said = { user: "u", session: "two", message: "Hello?", id: "late" };
  const events = (await (await post("/api/chat", said)).text()).trim().split("\n");
  const { type, error } = JSON.parse(events.at(-1));
  assert.deepEqual([type, error.code], ["error", "llm_failed"]);
  assert.match(error.message, /503/);
  assert.equal((await get("/api/messages", { user: "u", session: "two" })).messages.length, 2);
});

test("the page is served with all that it loads", async () => {
  const page = await (await request(server.url)).text();
  const loaded = [...page.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, path]) => path);
  assert.ok(loaded.length >= 3);
  for (const path of loaded) {
    const response = await request(new URL(path, server.url));
    assert.equal(response.status, 200, path);
    await response.arrayBuffer();
  }
});
