// The MCP server, with the official client: over stdio from a process of its own, and over HTTP from
// a Worker.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { checkTypes, examplesOf, installBeside } from "./shared/adapters.mjs";
import { importFrom, installPackage, request, startWorker } from "./support.mjs";

const TOOLS = {
  remember: "adds",
  recall: "reads",
  list: "reads",
  update: "adds",
  pin: "sets",
  unpin: "sets",
  forget: "deletes",
  history: "reads",
  stats: "reads",
};

let folder;
let bin;
let Client;
let StdioClientTransport;
let StreamableHTTPClientTransport;
let node24;

before(async () => {
  folder = installBeside("@modelcontextprotocol/sdk", "zod");
  bin = join(folder, "node_modules/.bin/siltstone-mcp");
  const sdk = "@modelcontextprotocol/sdk/client";
  ({ Client } = await importFrom(folder, `${sdk}/index.js`));
  ({ StdioClientTransport } = await importFrom(folder, `${sdk}/stdio.js`));
  ({ StreamableHTTPClientTransport } = await importFrom(folder, `${sdk}/streamableHttp.js`));
  ({ node24 } = await import("./servers.mjs"));
});

const environment = (more = {}) => ({ PATH: process.env.PATH, ...more });

/** Connects a client over this transport for as long as `use` runs. */
async function connected(transport, use) {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

/** Serves over stdio with these arguments; `node` in place of the running one. */
const overStdio = (args, use, { env = {}, node } = {}) => {
  const command = node ? { command: node, args: [bin, ...args] } : { command: bin, args };
  const options = { ...command, env: environment(env), stderr: "ignore", cwd: folder };
  return connected(new StdioClientTransport(options), use);
};

/** Calls a tool; its answer as an object, which is the same as its text. */
async function call(client, name, args = {}) {
  const answer = await client.callTool({ name, arguments: args });
  assert.equal(answer.isError ?? false, false, JSON.stringify(answer));
  assert.deepEqual(JSON.parse(answer.content[0].text), answer.structuredContent);
  return answer.structuredContent;
}

/** Calls a tool that has to refuse; its text. */
async function refused(client, name, args) {
  const { isError, content } = await client.callTool({ name, arguments: args });
  assert.equal(isError, true, `${name} took ${JSON.stringify(args)}`);
  return content[0].text;
}

async function lifeOfAMemory(client) {
  const content = "Is allergic to peanuts";
  const tags = ["food"];
  const { memory, action } = await call(client, "remember", { content, category: "profile", tags });
  assert.equal(action, "stored");
  assert.deepEqual(memory.tags, tags);
  assert.ok(Math.abs(Date.now() - Date.parse(memory.createdAt)) < 600_000);
  assert.equal((await call(client, "remember", { content })).action, "merged");

  const { memories } = await call(client, "recall", { query: "peanuts", limit: 3 });
  assert.equal(memories[0].id, memory.id);
  assert.ok(memories[0].score > 0);

  const patch = { content: "Is allergic to peanuts and walnuts", expectedVersion: 1 };
  const { memory: updated } = await call(client, "update", { id: memory.id, ...patch });
  assert.equal(updated.version, 2);
  const { versions } = await call(client, "history", { id: updated.id });
  assert.deepEqual(
    versions.map(({ content, isValid }) => [content, isValid]),
    [
      [content, false],
      [patch.content, true],
    ],
  );
  const { id } = updated;
  assert.equal((await call(client, "pin", { id })).memory.isPinned, true);
  assert.equal((await call(client, "stats")).pinned, 1);
  assert.equal((await call(client, "unpin", { id })).memory.isPinned, false);
  assert.deepEqual(
    (await call(client, "list")).memories.map(({ id }) => id),
    [id],
  );
  assert.ok((await call(client, "forget", { id, hard: true })).forgotten > 0);
  assert.deepEqual((await call(client, "list")).memories, []);
  assert.deepEqual((await call(client, "recall", { query: "peanuts" })).memories, []);
}

async function refusals(client) {
  const unknown = JSON.parse(await refused(client, "pin", { id: "unknown" }));
  assert.equal(unknown.error.code, "not_found");
  const { memory } = await call(client, "remember", { content: "Has a cat" });
  const stale = { id: memory.id, content: "Has two cats", expectedVersion: 7 };
  const conflict = JSON.parse(await refused(client, "update", stale));
  assert.deepEqual([conflict.error.code, conflict.error.path], ["conflict", "expectedVersion"]);
  const long = JSON.parse(await refused(client, "remember", { content: "x".repeat(8_001) }));
  assert.deepEqual(long.error.code, "too_large");
  for (const [name, args] of [
    ["remember", {}],
    ["remember", { content: "Has a dog", user: "eve" }],
    ["remember", { content: "Has a dog", importance: 11 }],
    ["remember", { content: "Has a dog", category: "secret" }],
    ["recall", { query: 7 }],
    ["list", { limit: 0 }],
    ["forget", { id: memory.id, tenant: "other" }],
    ["stats", { user: "eve" }],
  ]) {
    assert.match(await refused(client, name, args), /validation error/i, `${name}`);
  }
  await call(client, "forget", { id: memory.id });
}

async function toolsAreDescribed(client) {
  const { tools } = await client.listTools();
  const kinds = tools.map(({ name, annotations }) => {
    const { readOnlyHint, destructiveHint, idempotentHint } = annotations;
    const writes = destructiveHint ? "deletes" : idempotentHint ? "sets" : "adds";
    return [name, readOnlyHint ? "reads" : writes];
  });
  assert.deepEqual(Object.fromEntries(kinds), TOOLS);
  for (const { name, description, inputSchema, outputSchema } of tools) {
    assert.ok(description.length > 20, name);
    assert.equal(inputSchema.additionalProperties, false, name);
    assert.equal(outputSchema.type, "object", name);
    const names = Object.keys(inputSchema.properties ?? {});
    assert.deepEqual(
      names.filter((field) => ["user", "tenant", "agent", "scope", "session"].includes(field)),
      [],
    );
  }
}

test("the version is the package's", async () => {
  const { version } = JSON.parse(readFileSync(join(folder, "node_modules/siltstone/package.json")));
  await overStdio(["--user", "ana"], async (client) => {
    assert.deepEqual(client.getServerVersion(), { name: "siltstone", version });
  });
});

describe("over stdio", () => {
  test("a memory is remembered, recalled, changed, pinned and forgotten", () =>
    overStdio(["--user", "ana"], async (client) => {
      await toolsAreDescribed(client);
      await lifeOfAMemory(client);
      await refusals(client);
    }));

  test("the example of the documentation serves", async () => {
    const [example] = examplesOf(folder, "mcp/server.d.ts");
    const args = ["--input-type=module", "--eval", example];
    const options = { command: process.execPath, args, env: environment(), cwd: folder };
    await connected(new StdioClientTransport(options), async (client) => {
      await call(client, "remember", { content: "Has a cat" });
      assert.equal((await call(client, "list")).total, 1);
    });
  });

  test("what is wrong with the options is told on standard error", () => {
    const run = (args, env) =>
      spawnSync(bin, args, { encoding: "utf8", env: environment(env), input: "" });
    const none = run([]);
    assert.equal(none.status, 1);
    assert.match(none.stderr, /no user; say --user/);
    assert.equal(none.stdout, "");
    assert.match(run(["--usr", "ana"]).stderr, /--usr/);
    assert.match(run(["--user", "x".repeat(200)]).stderr, /scope\.user/);
    const alone = join(installPackage(), "node_modules/.bin/siltstone-mcp");
    const lacking = spawnSync(alone, ["--user", "ana"], { encoding: "utf8", env: environment() });
    assert.match(lacking.stderr, /npm install @modelcontextprotocol\/sdk zod/);
    assert.equal(lacking.status, 1);
    const help = run(["--help"]);
    assert.deepEqual([help.status, help.stdout], [0, ""]);
    assert.match(help.stderr, /--tenant/);
  });

  test("a file outlives the process and keeps its users apart", async (t) => {
    const file = join(folder, "memory.db");
    const [major, minor] = process.versions.node.split(".").map(Number);
    const own = major > 22 || (major === 22 && minor >= 5) ? process.execPath : undefined;
    if (own === undefined) {
      const args = ["--user", "ana", "--file", file];
      const { status, stderr } = spawnSync(bin, args, { encoding: "utf8", env: environment() });
      assert.equal(status, 1);
      assert.match(stderr, /needs Node\.js 22\.5 or later/);
      assert.equal(existsSync(file), false);
    }
    const node = own ?? node24;
    if (!existsSync(node)) {
      t.skip("no Node.js with SQLite is installed");
      return;
    }
    const env = { SILTSTONE_FILE: file };
    const as = (user, use) => overStdio(["--user", user], use, { env, node });
    await as("ana", (client) => call(client, "remember", { content: "Has a cat" }));
    await as("bo", async (client) => {
      assert.equal((await call(client, "list")).total, 0);
      await call(client, "remember", { content: "Has a dog" });
    });
    await as("ana", async (client) => {
      const { memories } = await call(client, "list");
      assert.deepEqual(
        memories.map(({ content }) => content),
        ["Has a cat"],
      );
      await call(client, "forget", { id: memories[0].id, hard: true });
      await lifeOfAMemory(client);
    });
  });
});

describe("over HTTP from a Worker", () => {
  let worker;
  before(async () => {
    const [example] = examplesOf(folder, "mcp/http.d.ts");
    const code = example.replace("env.USERS[", "JSON.parse(env.USERS)[");
    const USERS = JSON.stringify({ "Bearer a": "ana", "Bearer b": "bo", "Bearer c": "cy" });
    worker = await startWorker(folder, code, { bindings: { USERS } });
  });
  after(() => worker?.dispose());

  const as = (token, use) => {
    const headers = { authorization: `Bearer ${token}` };
    const url = new URL("/mcp", worker.url);
    return connected(new StreamableHTTPClientTransport(url, { requestInit: { headers } }), use);
  };

  test("a memory is remembered, recalled, changed, pinned and forgotten", () =>
    as("a", async (client) => {
      await toolsAreDescribed(client);
      await lifeOfAMemory(client);
      await refusals(client);
    }));

  test("two users see nothing of each other", () =>
    as("b", (bo) =>
      as("c", async (cy) => {
        const { memory } = await call(bo, "remember", { content: "Has a dog called Rex" });
        assert.deepEqual((await call(cy, "recall", { query: "dog Rex" })).memories, []);
        for (const name of ["pin", "unpin", "forget", "history"]) {
          const { error } = JSON.parse(await refused(cy, name, { id: memory.id }));
          assert.equal(error.code, "not_found");
        }
        assert.equal((await call(bo, "list")).total, 1);
      }),
    ));

  test("who is unknown gets nothing, and what is not a call is refused", async () => {
    const unknown = await request(worker.url, { method: "POST", body: "{}" });
    assert.equal(unknown.status, 401);
    const headers = { authorization: "Bearer a" };
    const get = await request(worker.url, { headers });
    assert.deepEqual([get.status, get.headers.get("allow")], [405, "POST"]);
    const types = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const malformed = await request(worker.url, {
      method: "POST",
      headers: { ...headers, ...types },
      body: "{",
    });
    assert.equal(malformed.status, 400);
  });
});

test("the types hold for strict users", () => {
  checkTypes(
    folder,
    `
    import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
    import { Siltstone } from "siltstone";
    import { memoryHost } from "siltstone/hosts/memory";
    import { createMemoryServer, handleMcp } from "siltstone/mcp";

    const memory = await Siltstone.create({ host: memoryHost() });
    export const server: McpServer = createMemoryServer(memory, { user: "u", tenant: "t" });
    export const answer = (request: Request): Promise<Response> => handleMcp(request, memory, { user: "u" });
    // @ts-expect-error: a scope names a user.
    createMemoryServer(memory, {});
  `,
  );
});
