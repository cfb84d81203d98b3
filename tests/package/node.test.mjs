// The packed package in Node: what people do with it, and how it answers what is wrong.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { importFrom, installPackage, root } from "./support.mjs";

const DAY = Date.UTC(2026, 10, 30);
const scope = { tenant: "acme", user: "ada", agent: "helper", session: "monday" };
const config = { agent: { longMemory: true, model: "small" } };

let folder;
let Siltstone;
let SiltstoneError;
let memoryHost;

before(async () => {
  folder = installPackage();
  ({ Siltstone, SiltstoneError } = await importFrom(folder, "siltstone"));
  ({ memoryHost } = await importFrom(folder, "siltstone/hosts/memory"));
});

/** Runs code in a process of its own and gives what it prints. */
function run(name, code) {
  const file = join(folder, name);
  writeFileSync(file, code);
  return execFileSync(process.execPath, [file], { encoding: "utf8", cwd: folder });
}

const create = (options = {}) => Siltstone.create({ host: memoryHost(), config, ...options });

const fails = (code, path) => (error) => {
  assert.ok(error instanceof SiltstoneError, `${error}`);
  assert.deepEqual({ code: error.code, path: error.path }, { code, path });
  return true;
};

test("every code of the core has its type", () => {
  const core = readFileSync(join(root, "src/error.rs"), "utf8");
  const types = readFileSync(join(folder, "node_modules/siltstone/errors.d.ts"), "utf8");
  const codes = [...core.matchAll(/Code::\w+ => "(\w+)"/g)].map(([, code]) => code);
  assert.ok(codes.length > 5);
  assert.deepEqual(
    codes.filter((code) => !types.includes(`"${code}"`)),
    [],
  );
});

test("every field of the core's configuration and memories has its type", () => {
  const camelCase = (name) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
  const places = {
    config: "config",
    memory: "memory",
    "life/config": "life-config",
    "outbox/config": "config",
    "provider/config": "provider-config",
  };
  for (const [source, name] of Object.entries(places)) {
    const core = readFileSync(join(root, `src/${source}.rs`), "utf8").split(
      "pub struct Candidate",
    )[0];
    const types = readFileSync(join(folder, `node_modules/siltstone/${name}.d.ts`), "utf8");
    const fields = [...core.matchAll(/^ {4}pub (\w+):/gm)].map(([, field]) => camelCase(field));
    assert.ok(fields.length > 4);
    const untyped = fields.filter((field) => !new RegExp(`\\b${field}\\??:`).test(types));
    assert.deepEqual(untyped, []);
  }
});

describe("a conversation", () => {
  test("is remembered in the next session", async () => {
    const memory = await create();
    const first = await memory.load({ scope, message: "I live in Hangzhou.", system: "Be brief." });
    assert.deepEqual(
      first.messages.map(({ role, content }) => [role, content]),
      [
        ["system", "Be brief."],
        ["user", "I live in Hangzhou."],
      ],
    );
    const appended = await memory.append(scope, [
      { role: "user", content: "I live in Hangzhou.", createdAt: DAY },
      { role: "assistant", content: "Noted.", createdAt: DAY + 1 },
    ]);
    assert.equal(appended.stored.length, 2);

    const ended = await memory.endSession(scope);
    assert.equal(ended.status, "done");
    assert.equal(ended.judgedBy, "rules");
    assert.match(ended.stored.map(({ content }) => content).join(), /Hangzhou/);
    assert.equal((await memory.endSession(scope)).status, "nothing_new");

    const next = { ...scope, session: "tuesday" };
    const { messages, report } = await memory.load({ scope: next, message: "Where do I live?" });
    assert.match(JSON.stringify(messages.slice(0, -1)), /Hangzhou/);
    assert.equal(report.recall.status, "ok");
    assert.equal(report.recall.hits.length, 1);
    assert.ok(report.tokens.total <= report.tokens.budget);

    const { hits, text } = await memory.recall({ user: "ada", tenant: "acme" }, "live");
    assert.equal(hits.length, 1);
    assert.match(text, /Hangzhou/);
    assert.deepEqual((await memory.recall({ user: "eve", tenant: "acme" }, "live")).hits, []);
    memory.close();
  });

  test("is listed, read back and counted", async () => {
    const memory = await create();
    const said = { role: "user", content: "Hello", id: "m1", createdAt: DAY, extra: [1, "二"] };
    await memory.append(scope, [said, { role: "assistant", content: "Hi" }]);
    assert.deepEqual((await memory.append(scope, [said])).skipped, [
      { index: 0, reason: "duplicate" },
    ]);
    const { messages } = await memory.messages(scope);
    assert.deepEqual(messages[0], said);
    assert.equal(messages.length, 2);
    assert.deepEqual((await memory.messages(scope, { before: messages[1].id })).messages, [said]);
    const { sessions } = await memory.sessions(scope);
    assert.deepEqual(
      sessions.map(({ session, messages }) => ({ session, messages })),
      [{ session: "monday", messages: 2 }],
    );
    assert.equal((await memory.summary(scope)).text, null);
    assert.equal((await memory.countTokens({ text: "hello world" })).tokens, 2);
    memory.close();
  });

  test("asks the model with the deadline's signal, and gives it up when closed", async () => {
    let asked;
    const llm = (request) => {
      asked = request;
      return new Promise(() => {});
    };
    const memory = await create({ llm });
    await memory.append(scope, [
      { role: "user", content: "I live in Hangzhou." },
      { role: "assistant", content: "Noted." },
    ]);
    const ended = memory.endSession(scope);
    while (asked === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.equal(asked.purpose, "judge");
    assert.equal(asked.json, true);
    assert.equal(asked.signal.aborted, false);
    memory.close();
    assert.equal(asked.signal.aborted, true);
    assert.equal((await ended).judgedBy, "rules");
  });
});

test("memories are added, changed, pinned and forgotten", async () => {
  const memory = await create();
  const memories = memory.memories({ user: "ada" });
  const { memory: added, action } = await memories.add({ content: "likes tea", tags: ["drinks"] });
  assert.equal(action, "stored");
  assert.deepEqual(await memories.get(added.id), added);
  assert.equal((await memories.pin(added.id)).isPinned, true);
  assert.equal((await memories.unpin(added.id)).isPinned, false);
  const updated = await memories.update(added.id, { content: "likes oolong tea" });
  assert.equal(updated.version, 2);
  const { versions } = await memories.history(updated.id);
  assert.deepEqual(
    versions.map(({ content, isValid }) => [content, isValid]),
    [
      ["likes tea", false],
      ["likes oolong tea", true],
    ],
  );
  assert.equal((await memories.list()).total, 1);
  await memories.forget(updated.id, { hard: true });
  assert.deepEqual((await memories.list({ includeInvalid: true })).memories, []);
  await assert.rejects(memories.get(updated.id), { code: "not_found" });
  memory.close();
});

test("versions are compared, taken back, and a soft forget is undone", async () => {
  const memory = await create();
  const memories = memory.memories({ user: "ada" });
  const { memory: first } = await memories.add({ content: "Sits on floor 3" });
  const patch = { content: "Sits on floor 4" };
  await assert.rejects(
    memories.update(first.id, patch, { expectedVersion: 7 }),
    fails("conflict", "expectedVersion"),
  );
  const second = await memories.update(first.id, patch, { expectedVersion: 1 });
  const third = await memories.revert(second.id, first.id);
  assert.deepEqual([third.content, third.version], ["Sits on floor 3", 3]);

  await memories.forget(third.id);
  assert.deepEqual((await memory.recall({ user: "ada" }, "floor")).hits, []);
  assert.equal(typeof (await memories.get(third.id)).forgottenAt, "number");
  const { hot, forgotten, superseded } = await memories.stats();
  assert.deepEqual({ hot, forgotten, superseded }, { hot: 0, forgotten: 1, superseded: 2 });
  const restored = await memories.restore(third.id);
  assert.equal(restored.isValid, true);
  assert.deepEqual(restored.evicted, []);
  assert.equal((await memory.recall({ user: "ada" }, "floor")).hits.length, 1);
  memory.close();
});

test("a contradiction is asked about and answered", async () => {
  const memory = await create();
  const memories = memory.memories({ user: "ada" });
  await memories.add({ content: "User's birthday is on May 5" });
  const added = await memories.add({ content: "User's birthday is on May 6" });
  const { questions } = await memories.questions();
  assert.deepEqual(
    questions.map(({ id }) => id),
    added.questions,
  );
  assert.match(questions[0].text, /May 5.*May 6/);
  await assert.rejects(memories.answer(questions[0].id, "neither"), { code: "invalid_input" });
  const answered = await memories.answer(questions[0].id, "new");
  assert.deepEqual(
    answered.memories.map(({ content, isValid }) => [content, isValid]),
    [
      ["User's birthday is on May 5", false],
      ["User's birthday is on May 6", true],
    ],
  );
  assert.deepEqual((await memories.questions()).questions, []);
  memory.close();
});

test("what was archived is recalled on request only, and is warm again", async () => {
  let now = DAY;
  const life = { maxHot: 2, evictCount: 0 };
  const memory = await create({ host: memoryHost({ now: () => now }), config: { life } });
  const memories = memory.memories({ user: "ada" });
  await memories.add({ content: "Planted a quince tree", importance: 1 });
  const contents = ["Plays the viola", "Owns a red bicycle", "Speaks Estonian"];
  for (const content of contents) {
    now += 60_000;
    await memories.add({ content, importance: 8 });
  }
  assert.equal((await memories.stats()).cold, 2);
  const scope = { user: "ada" };
  assert.deepEqual((await memory.recall(scope, "quince tree")).hits, []);
  const [hit] = (await memory.recall(scope, "quince tree", { cold: true })).hits;
  assert.equal(hit.memory.content, "Planted a quince tree");
  assert.equal((await memories.get(hit.memory.id)).temperature, "hot");
  const { candidates } = await memories.pinCandidates({ limit: 1 });
  assert.ok(candidates.length <= 1);
  memory.close();
});

describe("embeddings", () => {
  const scope = { user: "ada" };
  /** Two directions: what is about animals, and everything else. */
  const direction = (text) => (/dog|pet|animal/i.test(text) ? [1, 0] : [0, 1]);
  const recalled = async (embed) => {
    const host = memoryHost({ log: () => {} });
    const memory = await create({ host, config: { recall: { embedTimeoutMs: 50 } }, embed });
    await memory.memories(scope).add({ content: "Has a dog called Rex" });
    await memory.memories(scope).add({ content: "Works as a nurse" });
    const { hits } = await memory.recall(scope, "Which animal is at home?");
    memory.close();
    return hits.map(({ memory: { content } }) => content);
  };

  test("find what is said in other words, in either form", async () => {
    const asked = [];
    const found = await recalled(async (texts, { timeoutMs, signal }) => {
      asked.push([texts, timeoutMs, signal.aborted]);
      return texts.map(direction);
    });
    assert.deepEqual(found, ["Has a dog called Rex"]);
    assert.deepEqual(asked.at(-1), [["Which animal is at home?"], 50, false]);
    assert.deepEqual(
      await recalled(async (texts) => texts.map((text) => Float32Array.from(direction(text)))),
      found,
    );
  });

  test("that fail, hang or have another shape leave words to decide", async () => {
    const signals = [];
    const broken = [
      async () => {
        throw new Error("no model");
      },
      (_texts, { signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      },
      async () => "nothing",
      async () => [],
      async (texts) => texts.map(() => "a vector"),
    ];
    for (const embed of broken) {
      assert.deepEqual(await recalled(embed), [], `${embed}`);
    }
    assert.ok(signals.length > 0 && signals.every(({ aborted }) => aborted));
  });
});

describe("what cannot cross into the core", () => {
  const cyclic = { role: "user", content: "a" };
  cyclic.meta = cyclic;
  let deep = "end";
  for (let level = 0; level < 70; level += 1) {
    deep = [deep];
  }
  const cases = [
    ["a lone surrogate", [{ role: "user", content: "a\ud800b" }], "messages[0].content"],
    ["a lone surrogate in a name", [{ role: "user", content: "", "\udc00": 1 }], "messages[0]"],
    ["NaN", [{ role: "user", content: "a", createdAt: Number.NaN }], "messages[0].createdAt"],
    ["infinity", [{ role: "user", content: "a", meta: [1, -1 / 0] }], "messages[0].meta[1]"],
    ["a BigInt", [{ role: "user", content: "a", meta: { "a b": 1n } }], 'messages[0].meta["a b"]'],
    ["a function", [{ role: "user", content: () => "a" }], "messages[0].content"],
    ["a symbol", [Symbol("message")], "messages[0]"],
    ["undefined in a list", [undefined], "messages[0]"],
    ["a Date", [{ role: "user", content: "a", createdAt: new Date() }], "messages[0].createdAt"],
    ["a Map", [{ role: "user", content: "a", meta: new Map() }], "messages[0].meta"],
    ["bytes", [{ role: "user", content: new Uint8Array(2) }], "messages[0].content"],
    ["a cycle", [cyclic], "messages[0].meta"],
  ];
  for (const [name, messages, path] of cases) {
    test(`${name} is named by its path, and the instance goes on`, async () => {
      const memory = await create();
      await assert.rejects(memory.append(scope, messages), (error) => {
        assert.equal(typeof error.details.expected, "string");
        return fails("invalid_input", path)(error);
      });
      assert.deepEqual((await memory.messages(scope)).messages, []);
      memory.close();
    });
  }

  test("nesting beyond the limit", async () => {
    const memory = await create();
    const message = { role: "user", content: "a", meta: deep };
    await assert.rejects(memory.append(scope, [message]), (error) => {
      assert.equal(error.code, "invalid_input");
      assert.match(error.path, /^messages\[0\]\.meta(\[0\])+$/);
      return true;
    });
    memory.close();
  });

  test("what can cross is neither changed nor mixed up", async () => {
    const memory = await create();
    const shared = { a: 1 };
    const meta = JSON.parse('{"__proto__": {"polluted": true}, "toString": "mine"}');
    const said = Object.freeze({
      role: "user",
      content: "👍🏽 fine",
      name: undefined,
      meta: {
        ...meta,
        twice: [shared, shared],
        url: new URL("a:b"),
      },
    });
    await memory.append(scope, [said]);
    const [stored] = (await memory.messages(scope)).messages;
    assert.equal(stored.content, "👍🏽 fine");
    assert.deepEqual(stored.meta.twice, [shared, shared]);
    assert.equal(stored.meta.toString, "mine");
    assert.equal(stored.meta.url, "a:b");
    assert.ok(!("name" in stored));
    assert.equal({}.polluted, undefined);
    memory.close();
  });
});

describe("options of create", () => {
  test("a host, a model or a counter that is not one", async () => {
    const store = memoryHost().store;
    const cases = [
      [undefined, "host.store.get"],
      [{ host: {} }, "host.store.get"],
      [{ host: { store: { ...store, get() {}, range() {} } } }, "host.store.commit"],
      [{ host: memoryHost({ cache: {} }) }, "host.cache.get"],
      [{ host: memoryHost({ now: 5 }) }, "host.now"],
      [{ host: memoryHost(), llm: "gpt" }, "llm"],
      [{ host: memoryHost(), embed: [] }, "embed"],
      [{ host: memoryHost(), counter: 4 }, "counter"],
    ];
    for (const [options, path] of cases) {
      await assert.rejects(Siltstone.create(options), fails("invalid_config", path));
    }
  });

  test("a configuration that is wrong", async () => {
    const refuses = (config, code, path) =>
      assert.rejects(create({ config }), fails(code, path), JSON.stringify(config));
    await refuses({ window: { maxTokens: -1 } }, "invalid_config", "config.window.maxTokens");
    await refuses(
      { window: { maxTokens: Number.NaN } },
      "invalid_config",
      "config.window.maxTokens",
    );
    await refuses({ window: { maxToken: 1 } }, "invalid_config", "config.window.maxToken");
    await refuses({ tokens: { encoding: "x" } }, "unknown_encoding", "config.tokens.encoding");
  });
});

describe("a host that fails", () => {
  const failing = (part) => {
    const host = memoryHost();
    return {
      ...host,
      store: {
        get: (k) => host.store.get(k),
        range: (r) => host.store.range(r),
        commit: (b) => host.store.commit(b),
        ...part,
      },
    };
  };
  const append = async (part) => {
    const memory = await create({ host: failing(part) });
    await memory.append(scope, [{ role: "user", content: "Hello" }]);
  };

  test("by throwing, by rejecting or by answering another shape", async () => {
    const cases = [
      {
        get: () => {
          throw new Error("no disk");
        },
      },
      {
        get: async () => {
          throw new Error("no disk");
        },
      },
      { get: async () => "nothing" },
      { get: async () => [] },
      { get: async (keys) => keys.map(() => ({ value: 1, version: "1" })) },
      { commit: async () => "yes" },
      { commit: async () => undefined },
      { commit: () => Promise.reject(null) },
    ];
    for (const part of cases) {
      await assert.rejects(append(part), fails("store_failed", undefined));
    }
  });

  test("in its time, its randomness or its counter", async () => {
    const broken = async (options) => {
      const memory = await create(options);
      await memory.append(scope, [{ role: "user", content: "Hello" }]);
      await memory.countTokens({ text: "a" });
    };
    await assert.rejects(broken({ host: memoryHost({ now: () => Number.NaN }) }), {
      code: "host_failed",
    });
    await assert.rejects(broken({ host: memoryHost({ random: () => new Uint8Array(1) }) }), {
      code: "host_failed",
    });
    await assert.rejects(broken({ counter: () => -1 }), { code: "counter_failed" });
  });

  test("in its cache or its log does not fail a call", async () => {
    const events = [];
    const cache = {
      get: async () => {
        throw new Error("cold");
      },
      put: async () => {
        throw new Error("cold");
      },
    };
    const log = (event) => {
      events.push(event);
      throw new Error("no paper");
    };
    const memory = await create({ host: memoryHost({ cache, log }) });
    await memory.append(scope, [{ role: "user", content: "Hello" }]);
    const { report } = await memory.load({ scope, message: "Hello?" });
    assert.equal(report.historySource, "store");
    assert.ok(events.some(({ event, level }) => event === "cache_failed" && level === "warn"));
    memory.close();
  });
});

describe("loading the module", () => {
  test("slim says what to call, and then works", () => {
    const printed = run(
      "slim.mjs",
      `
      import { readFileSync } from "node:fs";
      import { init, Siltstone } from "siltstone/slim";
      import { memoryHost } from "siltstone/hosts/memory";
      import o200k from "siltstone/vocab/o200k_base";
      const options = { host: memoryHost(), vocabularies: [o200k] };
      const early = await Siltstone.create(options).catch((error) => error);
      const broken = await init(new Uint8Array([1, 2, 3])).catch((error) => error);
      const wasm = new URL(import.meta.resolve("siltstone/core.wasm"));
      await Promise.all([init(readFileSync(wasm)), init(readFileSync(wasm))]);
      const memory = await Siltstone.create(options);
      const { tokens } = await memory.countTokens({ text: "hello world" });
      console.log(JSON.stringify([early.code, early.message, broken.code, tokens]));
      `,
    );
    const [early, message, broken, tokens] = JSON.parse(printed);
    assert.equal(early, "not_initialized");
    assert.match(message, /await init\(source\)/);
    assert.equal(broken, "not_initialized");
    assert.equal(tokens, 2);
  });

  test("the full entry loads it for slim as well, and keeps no process alive", () => {
    const printed = run(
      "both.mjs",
      `
      import "siltstone";
      import { Siltstone } from "siltstone/slim";
      import { memoryHost } from "siltstone/hosts/memory";
      const memory = await Siltstone.create({ host: memoryHost(), config: ${JSON.stringify(config)} });
      await memory.load({ scope: { user: "u", session: "s" }, message: "Hi" });
      console.log("loaded");
      `,
    );
    assert.equal(printed, "loaded\n");
  });
});

test("a closed instance refuses calls, lets those under way end, and may be closed twice", async () => {
  const memory = await create();
  const underWay = memory.append(scope, [{ role: "user", content: "Hello" }]);
  memory.close();
  memory[Symbol.dispose]();
  assert.equal((await underWay).stored.length, 1);
  await assert.rejects(memory.messages(scope), fails("closed", undefined));
  const another = await create();
  assert.deepEqual((await another.messages(scope)).messages, []);
  another.close();
});
