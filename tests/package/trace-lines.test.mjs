// The lines of a trace, through the packed package: every value that a host may answer, where they go,
// and lines that are damaged, missing or of another version.

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { ana, monday, recorded } from "./shared/trace.mjs";
import { importFrom, installPackage } from "./support.mjs";

const config = { agent: { longMemory: true, model: "small" } };

let Siltstone;
let SiltstoneError;
let memoryHost;
let openAiCompatible;
let memosTransport;
let record;
let replay;

before(async () => {
  const folder = installPackage();
  ({ Siltstone, SiltstoneError } = await importFrom(folder, "siltstone"));
  ({ memoryHost } = await importFrom(folder, "siltstone/hosts/memory"));
  ({ openAiCompatible } = await importFrom(folder, "siltstone/llm/openai"));
  ({ memos: memosTransport } = await importFrom(folder, "siltstone/providers/memos"));
  ({ record, replay } = await importFrom(folder, "siltstone/trace"));
});

/** Records what `work` does with an instance, and replays it: it must be the same. */
async function recordedAs(options, work) {
  const lines = [];
  const trace = record({ write: (line) => lines.push(line) });
  const memory = await Siltstone.create({ host: memoryHost(), config, ...options, trace });
  await work(memory);
  memory.close();
  const { difference, isComplete } = await replay(lines, { Siltstone });
  assert.equal(difference, undefined);
  assert.equal(isComplete, true);
  return lines.map((line) => JSON.parse(line));
}

const answersTo = (lines, name) => {
  const asked = lines.filter(({ ask }) => ask === name).map(({ n }) => n);
  return lines.filter(({ answer }) => asked.includes(answer));
};

describe("what a host answers", () => {
  /** What `embed` gives, and what is written of it. */
  const EMBEDDINGS = {
    floats: [() => [Float32Array.of(0.1, -0, 1e-40)], [{ $floats: "zczMPQAAAIDCFgEA" }]],
    numbers: [() => [[0.1, -0, 1e300]], [[0.1, { $number: "-0" }, 1e300]]],
    "another array": [() => [Float64Array.of(0.1, 0.2)], [[0.1, 0.2]]],
    "no numbers": [() => [[Number.NaN]], [[{ $number: "NaN" }]]],
    nothing: [() => undefined, { $other: "undefined" }],
    "a field that is there": [() => ({ length: undefined }), { length: { $other: "undefined" } }],
    "a name of ours": [() => ({ $floats: "!" }), { $object: { $floats: "!" } }],
    "no JSON": [
      () => [1n, () => {}, Symbol("s")],
      [{ $bigint: "1" }, { $other: "function" }, { $other: "symbol" }],
    ],
    surrogates: [() => ["\ud800"], ["\ud800"]],
    bytes: [() => [Uint8Array.of(1, 2, 255)], [{ $bytes: "AQL/" }]],
  };
  for (const [name, [answer, wanted]] of Object.entries(EMBEDDINGS)) {
    test(`is written as it is: ${name}`, async () => {
      const embed = async () => answer();
      const host = memoryHost({ log: () => {} });
      const lines = await recordedAs({ host, embed }, async (memory) => {
        await memory.memories(ana).add({ content: "likes tea" });
        await memory.recall(ana, "tea");
      });
      const answers = answersTo(lines, "embed").map(({ value }) => value);
      assert.ok(answers.length > 1);
      assert.deepEqual(answers[0], wanted);
    });
  }

  const hostile = new Proxy([], {
    get: () => {
      throw new Error("no reading");
    },
  });
  const round = [];
  round.push(round);
  /** What `embed` does, and the error that is written. */
  const ERRORS = {
    "an error with a code": [
      () => Promise.reject(new SiltstoneError("llm_failed", "too many")),
      { message: "too many", name: "SiltstoneError", code: "llm_failed" },
    ],
    "a text": [() => Promise.reject("no"), { message: "no" }],
    nothing: [() => Promise.reject(), {}],
    "an answer that cannot be read": [
      async () => hostile,
      { message: "no reading", name: "Error" },
    ],
    "an answer that holds itself": [
      async () => round,
      { message: "an answer is too large to be recorded", name: "Error" },
    ],
  };
  for (const [name, [embed, wanted]] of Object.entries(ERRORS)) {
    test(`is written as an error: ${name}`, async () => {
      const host = memoryHost({ log: () => {} });
      const lines = await recordedAs({ host, embed }, (memory) => memory.recall(ana, "tea"));
      assert.deepEqual(answersTo(lines, "embed")[0].error, wanted);
    });
  }

  test("at once is in the line that asks, errors too", async () => {
    const times = [Number.NaN, 1e12, -0, "soon"];
    const now = () => {
      if (times.length === 0) throw new Error("no clock");
      return times.shift();
    };
    const lines = await recordedAs({ host: memoryHost({ now }) }, async (memory) => {
      for (let call = 0; call < 6; call += 1) {
        await memory.append(monday, [{ role: "user", content: `${call}` }]).catch(() => {});
      }
    });
    const asked = lines.filter(({ ask }) => ask === "now");
    assert.deepEqual(
      asked.slice(0, 4).map(({ value }) => value),
      [{ $number: "NaN" }, 1e12, { $number: "-0" }, "soon"],
    );
    assert.deepEqual(asked.at(-1).error, { message: "no clock", name: "Error" });
  });

  test("of rows that are objects of a class is what the core reads of them", async () => {
    class Row {
      #row;
      extra = new Date(0);
      constructor(row) {
        this.#row = row;
      }
      get value() {
        return this.#row.value;
      }
      get version() {
        return this.#row.version;
      }
    }
    const { store } = memoryHost();
    const rows = {
      get: async (keys) => (await store.get(keys)).map((row) => row && new Row(row)),
      range: (range) => store.range(range),
      commit: (batch) => store.commit(batch),
    };
    const lines = await recordedAs({ host: { store: rows } }, async (memory) => {
      for (const id of ["m1", "m2", "m1"]) {
        await memory.append(monday, [{ id, role: "user", content: id }]);
      }
      assert.equal((await memory.messages(monday)).messages.length, 2);
    });
    const row = answersTo(lines, "get")
      .flatMap(({ value }) => value)
      .find((value) => value);
    assert.deepEqual(Object.keys(row), ["value", "version"]);
  });

  test("a counter of one's own counts again, with its name", async () => {
    let isBroken = false;
    const count = (text) => {
      if (isBroken) throw new Error("cannot count");
      return text.length;
    };
    const counter = Object.assign(count, { id: "chars" });
    const lines = await recordedAs({ counter }, async (memory) => {
      await memory.append(monday, [{ role: "user", content: "Hi" }]);
      await memory.load({ scope: monday, message: "Well?" });
      assert.deepEqual(await memory.countTokens({ text: "four" }), { tokens: 4 });
      assert.deepEqual(await memory.fits("four", 3), { fits: false });
      assert.deepEqual(await memory.fits("four", 4), { fits: true, tokens: 4 });
      isBroken = true;
      await assert.rejects(memory.countTokens({ text: "five" }), { code: "counter_failed" });
    });
    assert.equal(lines[0].counter, "chars");
    assert.ok(
      lines.some(({ ask, args, value }) => ask === "count" && args[0] === "four" && value === 4),
    );
  });
});

test("keys of clients are in no line", async () => {
  const KEY = "sk-very-secret";
  const seen = [];
  const refuse = async (_url, { headers }) => {
    seen.push(JSON.stringify([...new Headers(headers)]));
    return new Response(JSON.stringify({ error: { message: `no such key: ${KEY}` } }), {
      status: 401,
    });
  };
  const server = { baseUrl: "http://localhost:1", apiKey: KEY, model: "m", fetch: refuse };
  const memos = memosTransport({ baseUrl: "http://localhost:2", apiKey: KEY, fetch: refuse });
  const options = {
    host: memoryHost({ log: () => {} }),
    llm: openAiCompatible(server),
    providers: { memos },
    config: { ...config, agents: { far: { longMemory: true, model: "m", provider: "memos" } } },
  };
  const lines = await recordedAs(options, async (memory) => {
    await memory.append(monday, [{ role: "user", content: "I live in Hangzhou." }]);
    await memory.endSession(monday);
    await memory.load({ scope: { ...monday, agent: "far" }, message: "Where?" });
  });
  assert.ok(seen.length >= 2 && seen.every((headers) => headers.includes(KEY)));
  assert.ok(answersTo(lines, "complete").length > 0 && answersTo(lines, "memos").length > 0);
  assert.ok(!JSON.stringify(lines).includes(KEY));
});

describe("writing", () => {
  test("goes on line by line, at the pace of whoever takes it", async () => {
    const taken = [];
    let atOnce = 0;
    const trace = record({
      write: async (line) => {
        atOnce += 1;
        assert.equal(atOnce, 1);
        await new Promise((resolve) => setTimeout(resolve));
        taken.push(line);
        atOnce -= 1;
      },
    });
    const memory = await Siltstone.create({ host: memoryHost(), config, trace });
    await memory.append(monday, [{ role: "user", content: "Hi" }]);
    memory.close();
    await trace.flush();
    assert.ok(taken.length > 5 && taken.every((line) => line.endsWith("}\n")));
    assert.equal((await replay(taken, { Siltstone })).isComplete, true);
  });

  for (const [name, fail] of Object.entries({
    "at once": () => {
      throw new Error("disk full");
    },
    later: () => Promise.reject(new Error("disk full")),
  })) {
    test(`that fails ${name} ends the trace and not the memory`, async () => {
      const events = [];
      let left = 3;
      const trace = record({
        write: () => {
          left -= 1;
          return left < 0 ? fail() : undefined;
        },
      });
      const host = memoryHost({ log: (event) => events.push(event) });
      const memory = await Siltstone.create({ host, config, trace });
      await memory.append(monday, [{ role: "user", content: "Hi" }]);
      assert.equal((await memory.messages(monday)).messages.length, 1);
      memory.close();
      await assert.rejects(trace.flush(), /disk full/);
      assert.equal(left, -1);
      assert.deepEqual(events, [
        {
          level: "warn",
          event: "trace_failed",
          message: "the trace could not be written: disk full",
        },
      ]);
    });
  }
});

const refused = (code, path) => (error) => {
  assert.ok(error instanceof SiltstoneError, `${error}`);
  assert.deepEqual([error.code, error.path], [code, path]);
  return true;
};

test("what is no recording is refused", async () => {
  assert.throws(() => record({}), refused("invalid_config", "write"));
  const create = (trace) => Siltstone.create({ host: memoryHost(), trace });
  await assert.rejects(create({}), refused("invalid_config", "trace.open"));
  const trace = record({ write: () => {} });
  (await create(trace)).close();
  await assert.rejects(create(trace), refused("invalid_config", "trace"));
});

describe("a trace that cannot be replayed", () => {
  let lines;
  before(async () => {
    ({ lines } = await recorded(Siltstone, memoryHost, record));
  });

  const change = (at, text) => () => lines.with(at, text);
  const edit = (at, fields) => () =>
    lines.with(at, `${JSON.stringify({ ...JSON.parse(lines[at]), ...fields })}\n`);
  const HEADER = "the first line of a trace";
  /** What is done to the trace, and the path and the details of the error. */
  const DAMAGES = {
    "is empty": [() => [], "lines[0]", { line: 1, expected: HEADER }],
    "is another file": [() => ['{"n":1}\n'], "lines[0]", { line: 1, expected: HEADER }],
    "is no text": [() => [1], "lines"],
    "cannot be read": [
      async function* () {
        yield lines[0];
        throw new Error("disk");
      },
      "lines",
    ],
    "is of another format": [
      edit(0, { format: 2 }),
      "lines[0].format",
      { line: 1, expected: "1", found: "2", reason: "version" },
    ],
    "is of another version": [
      edit(0, { version: "9.0.0" }),
      "lines[0].version",
      { line: 1, found: "9.0.0", reason: "version" },
    ],
    "is cut off in a line": [
      () => [...lines.slice(0, 20), lines[20].slice(0, 30)],
      "lines[20]",
      { line: 21, reason: "cut_off" },
    ],
    "has a damaged line": [change(7, "{\n"), "lines[7]", { line: 8, reason: "damaged" }],
    "has a line that says nothing": [change(7, '{"n":8}\n'), "lines[7]", { line: 8 }],
    "has lost a line": [
      () => lines.toSpliced(30, 1),
      "lines[30].n",
      { line: 31, expected: "31", found: "32", reason: "damaged" },
    ],
    "goes on after its end": [
      () => [...lines, `{"n":${lines.length + 1},"end":true}\n`],
      () => `lines[${lines.length}]`,
    ],
    "begins with an answer": [edit(1, { call: undefined, cancel: 1 }), "lines[1]", { line: 2 }],
    "answers what nobody asked": [
      () =>
        edit(
          find(({ answer }) => answer),
          { answer: 1 },
        )(),
      () => `lines[${find(({ answer }) => answer)}]`,
    ],
    "has values of another kind": [
      () =>
        edit(
          find(({ ask }) => ask === "now"),
          { value: { $date: "0" } },
        )(),
      () => `lines[${find(({ ask }) => ask === "now")}]`,
    ],
  };
  const find = (wanted) => lines.findIndex((line) => wanted(JSON.parse(line)));

  for (const [name, [damage, path, details]] of Object.entries(DAMAGES)) {
    test(`it ${name}`, async () => {
      await assert.rejects(replay(damage(), { Siltstone }), (error) => {
        refused("invalid_input", typeof path === "string" ? path : path())(error);
        assert.deepEqual({ ...error.details, ...details }, error.details ?? {});
        return true;
      });
    });
  }

  test("but one of another version is, if that is wanted", async () => {
    const other = edit(0, { version: "9.0.0" })();
    const { status } = await replay(other, { Siltstone, anyVersion: true });
    assert.equal(status, "same");
  });
});
