// The Hono middleware, with Hono itself in Node and in workerd.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { checkTypes, examplesOf, installBeside } from "./shared/adapters.mjs";
import { importFrom, request, startWorker } from "./support.mjs";

const config = { agent: { longMemory: true, model: "m" } };

let folder;
let Hono;
let serve;
let siltstoneMemory;
let Siltstone;
let memoryHost;

before(async () => {
  folder = installBeside("hono", "@hono/node-server");
  ({ Hono } = await importFrom(folder, "hono"));
  ({ serve } = await importFrom(folder, "@hono/node-server"));
  ({ siltstoneMemory } = await importFrom(folder, "siltstone/adapters/hono"));
  ({ Siltstone } = await importFrom(folder, "siltstone"));
  ({ memoryHost } = await importFrom(folder, "siltstone/hosts/memory"));
});

/** Serves an app and gives what `use` gives of its address. */
async function serving(app, use) {
  const server = await new Promise((resolve) => {
    const made = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, () => resolve(made));
  });
  try {
    return await use(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const say = async (url, text, headers = {}) =>
  (await request(`${url}/say`, { method: "POST", body: text, headers })).json();

test("the example of the documentation runs", async () => {
  const [example] = examplesOf(folder, "adapters/hono.d.ts");
  const file = join(folder, "hono-example.mjs");
  writeFileSync(file, `${example}\nexport { app };`);
  const { app } = await import(pathToFileURL(file));
  await serving(app, async (url) => {
    await say(url, "Hello");
    const { messages } = await say(url, "Again");
    assert.deepEqual(
      messages.map(({ content }) => content),
      ["Hello", "Again"],
    );
    const other = await say(url, "Elsewhere", { "x-session": "other" });
    assert.equal(other.messages.length, 1);
  });
});

describe("in Node", () => {
  test("one instance serves all requests, and is made anew after a failure", async () => {
    let made = 0;
    const create = () => {
      made += 1;
      if (made === 1) {
        throw new Error("not yet");
      }
      return Siltstone.create({ host: memoryHost() });
    };
    const app = new Hono();
    app.use(siltstoneMemory({ create, scope: () => undefined }));
    app.get("/", (c) => c.json({ scope: c.var.scope ?? null, has: "load" in c.var.memory }));
    app.onError((error, c) => c.text(error.message, 503));
    assert.equal(made, 0, "nothing is made outside a request");
    await serving(app, async (url) => {
      const first = await request(url);
      assert.deepEqual([first.status, await first.text()], [503, "not yet"]);
      const answers = await Promise.all(Array.from({ length: 5 }, () => request(url)));
      for (const answer of answers) {
        assert.deepEqual(await answer.json(), { scope: null, has: true });
      }
    });
    assert.equal(made, 2);
  });

  test("a session ends within the request, and its fault is the request's", async () => {
    const memory = await Siltstone.create({ host: memoryHost(), config });
    const app = new Hono();
    const scope = (c) => ({ user: "ana", ...(c.req.query("session") && { session: "s" }) });
    app.use(siltstoneMemory({ create: () => memory, scope }));
    app.get("/", async (c) => {
      if (c.var.scope.session) {
        await memory.append(c.var.scope, [
          { role: "user", content: "I live in Hangzhou." },
          { role: "assistant", content: "Noted." },
        ]);
      }
      await c.var.endSession();
      return c.json(await memory.memories({ user: "ana" }).list());
    });
    app.onError((error, c) => c.json({ code: error.code, path: error.path }, 400));
    await serving(app, async (url) => {
      const ended = await (await request(`${url}/?session=s`)).json();
      assert.match(ended.memories[0].content, /Hangzhou/);
      const refused = await request(url);
      assert.equal(refused.status, 400);
      assert.deepEqual(await refused.json(), { code: "invalid_input", path: "scope.session" });
    });
    memory.close();
  });
});

describe("in workerd", () => {
  let worker;
  before(async () => {
    const code = `
      import { Hono } from "hono";
      import { Siltstone } from "siltstone";
      import { siltstoneMemory } from "siltstone/adapters/hono";
      import { cloudflareHost } from "siltstone/hosts/cloudflare";

      const app = new Hono();
      let made = 0;
      app.use(siltstoneMemory({
        create: (env) => {
          made += 1;
          return Siltstone.create({ host: cloudflareHost(env), config: ${JSON.stringify(config)} });
        },
        scope: (c) => ({ user: c.req.header("x-user"), session: "s" }),
      }));
      app.post("/say", async (c) => {
        const { memory, scope } = c.var;
        await memory.append(scope, [
          { role: "user", content: await c.req.text() },
          { role: "assistant", content: "Noted." },
        ]);
        await c.var.endSession();
        return c.json({ made, ...(await memory.messages(scope)) });
      });
      app.get("/memories", async (c) => c.json(await c.var.memory.memories(c.var.scope).list()));
      export default app;
    `;
    worker = await startWorker(folder, code);
  });
  after(() => worker?.dispose());

  test("the session ends behind the answer, in one instance for all requests", async () => {
    const ana = { "x-user": "ana" };
    const answers = await Promise.all(
      ["ana", "bo", "cy"].map((user) =>
        say(worker.url, `My name is ${user} and I live in Hangzhou.`, { "x-user": user }),
      ),
    );
    for (const { made, messages } of answers) {
      assert.deepEqual([made, messages.length], [1, 2]);
    }
    let listed = [];
    for (let tries = 0; listed.length === 0 && tries < 100; tries += 1) {
      const answer = await request(`${worker.url}/memories`, { headers: ana });
      ({ memories: listed } = await answer.json());
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.match(listed.map(({ content }) => content).join(), /Hangzhou/);
  });
});

test("the types hold for strict users", () => {
  checkTypes(
    folder,
    `
    import { Hono } from "hono";
    import { Siltstone, type SessionScope } from "siltstone";
    import { siltstoneMemory } from "siltstone/adapters/hono";
    import { memoryHost } from "siltstone/hosts/memory";

    interface Env { NAME: string }
    const app = new Hono<{ Bindings: Env }>();
    app.use("/chat/*", siltstoneMemory({
      create: (env: Env) => Siltstone.create({ host: memoryHost(), config: { agent: { model: env.NAME } } }),
      scope: async (c) => ({ user: c.req.header("x-user") ?? "none", session: c.env.NAME }),
      onError: (error: unknown) => console.error(error),
    }));
    app.get("/chat/:id", siltstoneMemory({
      create: () => Siltstone.create({ host: memoryHost() }),
      scope: () => ({ user: "u", session: "s" }),
    }), async (c) => {
      const scope: SessionScope = c.var.scope;
      await c.var.endSession();
      return c.json(await c.var.memory.messages(scope));
    });
    export default app;
    // @ts-expect-error: a scope names a user.
    siltstoneMemory({ create: () => ({}) as Siltstone, scope: () => ({ session: "s" }) });
  `,
  );
});
