// Input, hosts and services that are not what they should be, for every runtime: whatever they are,
// a call gives a SiltstoneError or a right answer, and the instance works on.

const DEEP = 10_000;
const THEN = "then";
const CONFIG = {
  tokens: { encoding: "estimate" },
  agent: { longMemory: true, model: "m" },
};
const ANA = { tenant: "t", user: "ana", agent: "a", session: "s" };
const ID = "00000000-0000-7000-8000-000000000000";

const nested = (wrap) => {
  let value = 1;
  for (let depth = 0; depth < DEEP; depth += 1) {
    value = wrap(value);
  }
  return value;
};
const doubled = () => {
  let value = ["x"];
  for (let depth = 0; depth < 50; depth += 1) {
    value = [value, value];
  }
  return value;
};
const cyclic = (value) => {
  value[0] = value;
  return value;
};
const boom = () => {
  throw new Error("boom");
};
const revoked = (target) => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};
const endless = () => {
  const list = ["a"];
  list[Symbol.iterator] = () => ({ next: () => ({ value: "a", done: false }) });
  return list;
};

/** Values that nobody should pass, made anew for each use. */
export const VALUES = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  "": () => "",
  "a lone surrogate": () => "a\ud800b",
  "a lone low surrogate": () => "\udc00",
  "a control character": () => "\u0000",
  "20 million characters": () => "x".repeat(20_000_000),
  NaN: () => Number.NaN,
  Infinity: () => Number.POSITIVE_INFINITY,
  "-0": () => -0,
  "-1": () => -1,
  0.5: () => 0.5,
  "1e308": () => 1e308,
  "-1e308": () => -1e308,
  "2 ** 63": () => 2 ** 63,
  "-(2 ** 63)": () => -(2 ** 63),
  "a safe integer": () => Number.MAX_SAFE_INTEGER,
  "a day after the last": () => 8.64e15 + 1,
  "a BigInt": () => 1n,
  "a symbol": () => Symbol("s"),
  "a function": () => boom,
  "an empty list": () => [],
  "an empty object": () => ({}),
  "a list with holes": () => Object.assign(new Array(3), { 1: "a" }),
  "a list of 2 ** 32 - 1 holes": () => new Array(2 ** 32 - 1),
  "a list without an end": endless,
  "a million texts": () => new Array(1_000_000).fill("a"),
  "lists in lists": () => nested((value) => [value]),
  "objects in objects": () => nested((value) => ({ value })),
  "a list doubled 50 times": doubled,
  "a list in itself": () => cyclic([]),
  "an object in itself": () => cyclic({}),
  "a getter that throws": () => ({
    get content() {
      return boom();
    },
    get user() {
      return boom();
    },
  }),
  "a proxy that throws": () =>
    new Proxy({}, { get: boom, ownKeys: boom, has: boom, getPrototypeOf: boom }),
  "a revoked proxy": () => revoked({}),
  "a revoked proxy of a list": () => revoked([]),
  "toJSON that throws": () => ({ toJSON: boom }),
  "toJSON that gives itself": () => ({
    toJSON() {
      return this;
    },
  }),
  "its own __proto__": () => JSON.parse('{"__proto__": {"polluted": true}}'),
  "its own constructor": () => JSON.parse('{"constructor": {"prototype": {"polluted": true}}}'),
  "an instance of a class": () =>
    new (class Odd {
      content = "x";
    })(),
  "a Map": () => new Map([["a", 1]]),
  "a Date": () => new Date(0),
  bytes: () => new Uint8Array(8),
  "a boxed text": () => new String("x"),
  "an error": () => new Error("x"),
};

const message = (fields) => [{ role: "user", content: "Hi", ...fields }];
const added = (fields) => ({ content: "Ana likes tea", ...fields });

/** Where a value may stand. */
export const PLACES = {
  "append: scope": (memory, value) => memory.append(value, message()),
  "append: user": (memory, value) => memory.append({ ...ANA, user: value }, message()),
  "append: session": (memory, value) => memory.append({ ...ANA, session: value }, message()),
  "append: messages": (memory, value) => memory.append(ANA, value),
  "append: message": (memory, value) => memory.append(ANA, [value]),
  "append: id": (memory, value) => memory.append(ANA, message({ id: value })),
  "append: role": (memory, value) => memory.append(ANA, message({ role: value })),
  "append: content": (memory, value) => memory.append(ANA, message({ content: value })),
  "append: part": (memory, value) => memory.append(ANA, message({ content: [value] })),
  "append: text": (memory, value) =>
    memory.append(ANA, message({ content: [{ type: "text", text: value }] })),
  "append: tool call": (memory, value) => memory.append(ANA, message({ tool_calls: [value] })),
  "append: arguments": (memory, value) =>
    memory.append(
      ANA,
      message({ tool_calls: [{ id: "c", function: { name: "f", arguments: value } }] }),
    ),
  "append: createdAt": (memory, value) => memory.append(ANA, message({ createdAt: value })),
  "append: meta": (memory, value) => memory.append(ANA, message({ meta: value })),
  "append: other field": (memory, value) => memory.append(ANA, message({ other: value })),
  "load: request": (memory, value) => memory.load(value),
  "load: message": (memory, value) => memory.load({ scope: ANA, message: value }),
  "load: system": (memory, value) => memory.load({ scope: ANA, message: "Hi", system: value }),
  "load: tools": (memory, value) => memory.load({ scope: ANA, message: "Hi", tools: value }),
  "load: tool": (memory, value) => memory.load({ scope: ANA, message: "Hi", tools: [value] }),
  "load: maxTokens": (memory, value) =>
    memory.load({ scope: ANA, message: "Hi", maxTokens: value }),
  "messages: options": (memory, value) => memory.messages(ANA, value),
  "messages: limit": (memory, value) => memory.messages(ANA, { limit: value }),
  "removeMessages: ids": (memory, value) => memory.removeMessages(ANA, value),
  "removeMessages: id": (memory, value) => memory.removeMessages(ANA, [value]),
  "endSession: scope": (memory, value) => memory.endSession(value),
  "recall: query": (memory, value) => memory.recall(ANA, value),
  "recall: options": (memory, value) => memory.recall(ANA, "tea", value),
  "recall: limit": (memory, value) => memory.recall(ANA, "tea", { limit: value }),
  "list: options": (memory, value) => memory.memories(ANA).list(value),
  "list: cursor": (memory, value) => memory.memories(ANA).list({ cursor: value }),
  "get: id": (memory, value) => memory.memories(ANA).get(value),
  "add: memory": (memory, value) => memory.memories(ANA).add(value),
  "add: content": (memory, value) => memory.memories(ANA).add(added({ content: value })),
  "add: facts": (memory, value) => memory.memories(ANA).add(added({ facts: value })),
  "add: fact": (memory, value) => memory.memories(ANA).add(added({ facts: { tea: value } })),
  "add: tags": (memory, value) => memory.memories(ANA).add(added({ tags: value })),
  "add: importance": (memory, value) => memory.memories(ANA).add(added({ importance: value })),
  "add: observedAt": (memory, value) => memory.memories(ANA).add(added({ observedAt: value })),
  "add: expiresAt": (memory, value) => memory.memories(ANA).add(added({ expiresAt: value })),
  "update: patch": (memory, value) => memory.memories(ANA).update(ID, value),
  "update: options": (memory, value) => memory.memories(ANA).update(ID, {}, value),
  "forget: options": (memory, value) => memory.memories(ANA).forget(ID, value),
  "memories: scope": (memory, value) => memory.memories(value).stats(),
  "maintain: options": (memory, value) => memory.maintain(value),
  "maintain: limit": (memory, value) => memory.maintain({ limit: value }),
  "replay: options": (memory, value) => memory.replay(value),
  "import: line": (memory, value) => memory.import(ANA, [value]),
  "countTokens: request": (memory, value) => memory.countTokens(value),
  "countTokens: text": (memory, value) => memory.countTokens({ text: value }),
};

const rejected = (reason) => () => Promise.reject(reason);

/** Values that a callback may answer with. */
const ANSWERED = [
  "undefined",
  "null",
  "true",
  "",
  "a lone surrogate",
  "NaN",
  "-1",
  "1e308",
  "a BigInt",
  "a symbol",
  "a function",
  "an empty list",
  "an empty object",
  "a list with holes",
  "a list of 2 ** 32 - 1 holes",
  "a list without an end",
  "a million texts",
  "lists in lists",
  "a list doubled 50 times",
  "a list in itself",
  "a getter that throws",
  "a proxy that throws",
  "a revoked proxy",
  "toJSON that throws",
  "its own __proto__",
  "a Map",
  "bytes",
];

/** What a callback may do instead of its work. */
export const ANSWERS = {
  "throws at once": boom,
  "throws nothing": () => {
    throw undefined;
  },
  "throws a symbol": () => {
    throw Symbol("s");
  },
  "rejects with nothing": rejected(undefined),
  "rejects with null": rejected(null),
  "rejects with a text": rejected("no"),
  "rejects with a lone surrogate": rejected(new Error("\ud800")),
  "rejects with a getter that throws": rejected({
    get message() {
      return boom();
    },
  }),
  "rejects with a revoked proxy": () => Promise.reject(revoked({})),
  "is no promise": () => 42,
  "a thenable that throws": () => Object.defineProperty({}, THEN, { value: boom }),
  ...Object.fromEntries(ANSWERED.map((name) => [`answers ${name}`, async () => VALUES[name]()])),
  "answers lists of odd entries": async () => [
    null,
    undefined,
    1,
    "x",
    {},
    { value: 1, version: 2, key: 3 },
    revoked({}),
    [Number.NaN],
  ],
  "answers records of another kind": async () => [
    { key: "a", value: "{", version: "1" },
    { key: "a", value: '{"v":1,"d":null}', version: "1" },
  ],
  "answers a proxy of floats": async () => [new Proxy(new Float32Array(4), {})],
  "answers embeddings that are none": async () => [new Float32Array(4).fill(Number.NaN), [1e308]],
  "answers a million floats": async () => [new Float32Array(1_000_000)],
  "answers as a service, deep": async () => ({ status: 200, body: nested((value) => [value]) }),
  "answers as a service, cyclic": async () => ({ status: 200, body: cyclic({}) }),
  "answers as a service, wrongly": async () => ({ status: 1e9, body: { data: 1n } }),
  "answers as a service, oddly": async () => ({
    status: 200,
    body: { results: [{ id: "\ud800", memory: "\udc00", score: Number.NaN, created_at: 1e308 }] },
  }),
  "answers brackets": async () => "[".repeat(1_000_000),
  "answers braces": async () => '{"a":'.repeat(200_000),
  "answers more text than anyone reads": async () => "x".repeat(5_000_000),
};

/** The callbacks of an instance, each of which can be made to misbehave. */
const CALLBACKS = [
  "get",
  "range",
  "commit",
  "cacheGet",
  "cachePut",
  "agent",
  "now",
  "random",
  "log",
  "llm",
  "embed",
  "vectorUpsert",
  "vectorQuery",
  "vectorDelete",
  "mem0",
  "count",
];

/** Options of an instance whose callbacks do what `odd` says of them, while it does. */
function options(memoryHost, odd) {
  const { store } = memoryHost();
  const cached = new Map();
  const wrap =
    (name, usual) =>
    (...given) =>
      odd[name] ? odd[name](...given) : usual(...given);
  return {
    host: {
      store: {
        get: wrap("get", (keys) => store.get(keys)),
        range: wrap("range", (range) => store.range(range)),
        commit: wrap("commit", (batch) => store.commit(batch)),
      },
      cache: {
        get: wrap("cacheGet", async (key) => cached.get(key) ?? null),
        put: wrap("cachePut", async (key, value) => void cached.set(key, value)),
      },
      agent: wrap("agent", async () => null),
      now: wrap("now", () => 1_767_607_200_000),
      random: wrap("random", (length) => new Uint8Array(length)),
      log: wrap("log", () => {}),
    },
    llm: wrap("llm", async () => '[{"content":"User likes tea","importance":6}]'),
    embed: wrap("embed", async (texts) => texts.map(() => new Float32Array(4).fill(0.5))),
    vectors: {
      upsert: wrap("vectorUpsert", async () => {}),
      query: wrap("vectorQuery", async () => []),
      delete: wrap("vectorDelete", async () => {}),
    },
    providers: { mem0: wrap("mem0", async () => ({ status: 200, body: { results: [] } })) },
    counter: wrap("count", (text) => text.length),
    config: { ...CONFIG, agents: { other: { provider: "mem0" } } },
  };
}

/**
 * Runs the tables with the package's exports, of what callbacks do only one in `every`.
 *
 * @returns how many cases were run, and what was wrong.
 */
export async function runHostile({ Siltstone, SiltstoneError, memoryHost, every = 1 }) {
  const faults = [];
  let cases = 0;

  /** Makes a call that may fail with a SiltstoneError and with nothing else. */
  const attempt = async (name, work) => {
    cases += 1;
    try {
      const answer = work();
      if (typeof answer?.then !== "function") {
        faults.push(`${name}: no promise`);
      }
      await answer;
    } catch (error) {
      if (!(error instanceof SiltstoneError) || !error.code || !error.message) {
        faults.push(`${name}: ${error?.stack ?? String(error)}`);
      }
    }
  };

  const works = async (name, memory) => {
    const scope = { tenant: "other", user: "ben", session: "s" };
    try {
      await memory.append(scope, [
        { id: "1", role: "user", content: "Hello." },
        { id: "2", role: "assistant", content: "Hi." },
      ]);
      const { messages } = await memory.load({ scope, message: "And?" });
      if (messages.at(-3)?.content !== "Hello.") {
        faults.push(`${name}: afterwards load answers ${JSON.stringify(messages)}`);
      }
    } catch (error) {
      faults.push(`${name}: afterwards ${error?.stack ?? String(error)}`);
    }
  };

  await input();
  await configs();
  await callbacks();
  await reentrant();
  if ({}.polluted !== undefined) {
    faults.push("Object.prototype was written to");
  }
  return { cases, faults };

  async function input() {
    const memory = await Siltstone.create(options(memoryHost, {}));
    for (const [what, value] of Object.entries(VALUES)) {
      for (const [place, call] of Object.entries(PLACES)) {
        await attempt(`${place}: ${what}`, () => call(memory, value()));
      }
      await works(what, memory);
    }
    memory.close();
  }

  async function configs() {
    const sections = ["agent", "agents", "window", "tokens", "life", "recall", "safety", "memos"];
    for (const [what, value] of Object.entries(VALUES)) {
      const given = [value(), ...sections.map((name) => ({ [name]: value() }))];
      const fields = [{ window: { maxTokens: value() } }, { life: { maxHot: value() } }];
      for (const [at, config] of [...given, ...fields].entries()) {
        await attempt(`config ${at}: ${what}`, async () => {
          const memory = await Siltstone.create({ ...options(memoryHost, {}), config });
          await works(`config ${at}: ${what}`, memory);
          memory.close();
        });
      }
    }
  }

  async function callbacks() {
    for (const callback of CALLBACKS) {
      const isWaitedFor = !["now", "random", "count"].includes(callback);
      const answers = Object.entries(ANSWERS)
        .filter((_, at) => at % every === 0)
        // Where no promise is expected, nobody looks at one that is rejected.
        .filter(([what]) => isWaitedFor || !/^rejects|proxy/.test(what));
      for (const [what, answer] of answers) {
        const odd = {};
        const memory = await Siltstone.create(options(memoryHost, odd));
        const name = `${callback} ${what}`;
        odd[callback] = answer;
        for (const [call, work] of callsOf(callback)) {
          await attempt(`${name}: ${call}`, () => work(memory));
        }
        delete odd[callback];
        await works(name, memory);
        memory.close();
      }
    }
  }

  /** Callbacks that call the instance while it waits for them, and one that closes it. */
  async function reentrant() {
    for (const callback of CALLBACKS) {
      const odd = {};
      const memory = await Siltstone.create(options(memoryHost, odd));
      const inner = [];
      let left = 20;
      odd[callback] = () => {
        left -= 1;
        if (left >= 0) {
          for (const [call, work] of Object.entries(CALLS)) {
            const answer = work(memory);
            // Looked at below.
            answer.catch(() => {});
            inner.push([call, answer]);
          }
        }
        return undefined;
      };
      for (const [call, work] of Object.entries(CALLS)) {
        await attempt(`${callback} calls back: ${call}`, () => work(memory));
      }
      for (const [call, answer] of inner) {
        await attempt(`from ${callback}: ${call}`, () => answer);
      }
      delete odd[callback];
      await works(`${callback} calls back`, memory);
      odd[callback] = () => memory.close();
      for (const [call, work] of Object.entries(CALLS)) {
        await attempt(`${callback} closes: ${call}`, () => work(memory));
      }
    }
  }
}

const OF_SERVICE = "of a service";

/** Those that may reach this callback: a memory service is asked by calls of its own. */
function callsOf(callback) {
  const isService = callback === "mem0";
  return Object.entries(CALLS).filter(([name]) => name.endsWith(OF_SERVICE) === isService);
}

let last = 0;
const unique = () => {
  last += 1;
  return last;
};

/** Calls that reach every callback. */
const CALLS = {
  append: (memory) => memory.append(ANA, [{ role: "user", content: `I like tea ${unique()}.` }]),
  load: (memory) => memory.load({ scope: ANA, message: "Tea?" }),
  endSession: (memory) => memory.endSession(ANA),
  recall: (memory) => memory.recall(ANA, "tea"),
  add: (memory) => memory.memories(ANA).add({ content: `Ana has ${unique()} cups` }),
  list: (memory) => memory.memories(ANA).list(),
  maintain: (memory) => memory.maintain(),
  replay: (memory) => memory.replay(),
  "load of a service": (memory) =>
    memory.load({ scope: { ...ANA, agent: "other" }, message: "Tea?" }),
  "endSession of a service": (memory) => memory.endSession({ ...ANA, agent: "other" }),
};
