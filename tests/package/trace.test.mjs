// Recordings of sessions, and what a replay says of them: through the packed package, in every
// runtime that is no browser.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { caseFiles, PROCESSES, runIn } from "./runtimes.mjs";
import { compareCases } from "./shared/cases.mjs";
import { ana, everything, monday, recorded, seeded } from "./shared/trace.mjs";
import { importFrom, installPackage, request, root, startWorker } from "./support.mjs";

let folder;
let Siltstone;
let memoryHost;
let record;
let replay;
let whole;

before(async () => {
  folder = installPackage();
  ({ Siltstone } = await importFrom(folder, "siltstone"));
  ({ memoryHost } = await importFrom(folder, "siltstone/hosts/memory"));
  ({ record, replay } = await importFrom(folder, "siltstone/trace"));
  whole = await recorded(Siltstone, memoryHost, record);
});

const parsed = (lines) => lines.map((line) => JSON.parse(line));
const find = (lines, wanted) => parsed(lines).find(wanted) ?? assert.fail("no such line");

/** The trace with one line of it changed. */
function changed(lines, n, change) {
  const line = JSON.parse(lines[n - 1]);
  return lines.with(n - 1, `${JSON.stringify({ ...line, ...change(line) })}\n`);
}

/** Records what `work` does with an instance. */
async function recording(options, work) {
  const lines = [];
  const trace = record({ write: (line) => lines.push(line) });
  const memory = await Siltstone.create({ host: memoryHost(), ...options, trace });
  await work(memory);
  memory.close();
  return lines;
}

async function same(lines, options = {}) {
  const { status, difference, isComplete, calls, hostCalls } = await replay(lines, {
    Siltstone,
    ...options,
  });
  assert.equal(difference, undefined);
  assert.deepEqual({ status, isComplete }, { status: "same", isComplete: true });
  return { calls, hostCalls };
}

async function different(lines, options = {}) {
  const { status, difference } = await replay(lines, { Siltstone, ...options });
  assert.equal(status, "different");
  return difference;
}

describe("a whole session", () => {
  test("is the same again, every host call and every result", async () => {
    const { lines } = whole;
    const { calls, hostCalls } = await same(lines);
    assert.equal(calls, parsed(lines).filter(({ call }) => call).length);
    assert.equal(hostCalls, parsed(lines).filter(({ ask }) => ask).length);
    const asked = new Set(parsed(lines).map(({ ask }) => ask));
    const { host } = parsed(lines)[0];
    assert.deepEqual(
      host.filter((name) => !asked.has(name)),
      [],
    );
    assert.equal(host.length, 15);
  });

  test("has what the host answered and threw, and what every call gave", () => {
    const { lines, results } = whole;
    assert.ok(find(lines, ({ error }) => error?.message === "the cache is full"));
    const { error } = find(lines, ({ error }) => error?.message === "overloaded");
    assert.equal(error.code, "llm_failed");
    const { n } = find(lines, ({ call }) => call === "maintain");
    assert.deepEqual(find(lines, ({ result }) => result === n).value, results[6]);
    assert.equal(find(lines, ({ error }) => error?.code === "not_found").error.path, "id");
  });

  test("of which only a beginning is there is the same as far as it goes", async () => {
    const { lines } = whole;
    for (let length = 1; length < lines.length; length += 13) {
      const { difference, isComplete } = await replay(lines.slice(0, length), { Siltstone });
      assert.deepEqual(
        { length, difference, isComplete },
        { length, isComplete: false, difference },
      );
      assert.equal(difference, undefined);
    }
  });
});

test("every behaviour case is recorded as it is, and is the same again", async () => {
  const traces = [];
  const create = (options) => {
    const lines = [];
    traces.push(lines);
    return Siltstone.create({ ...options, trace: record({ write: (line) => lines.push(line) }) });
  };
  const { files, native } = caseFiles();
  const { cases, differences } = await compareCases({ create }, files, native);
  assert.deepEqual(differences, []);
  assert.equal(traces.length, cases);
  // Some cases are of configurations that are refused.
  const made = traces.filter(({ length }) => length > 0);
  assert.ok(made.length > cases / 2);
  for (const lines of made) await same(lines);
});

test("what happens at the same time, deadlines that pass too, is the same again", async () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const lines = await recording(seeded(memoryHost, seed), async (memory) => {
      const talks = Array.from({ length: 8 }, async (_, at) => {
        const scope = { ...ana, session: `s${at % 3}` };
        await memory.append(scope, [{ role: "user", content: `I live in City${at}.` }]);
        await memory.load({ scope, message: "Where do I live?" });
        await memory.endSession(scope);
        await memory.recall(ana, "live");
      });
      await Promise.all(talks);
    });
    await same(lines);
  }
});

describe("a difference is named", () => {
  test("where one answer is another", async () => {
    const { lines } = whole;
    const { n, answer } = find(lines, ({ value }) => `${value}`.includes("peanuts"));
    assert.equal(find(lines, (line) => line.n === answer).ask, "complete");
    const other = changed(lines, n, ({ value }) => ({
      value: value.replace("peanuts", "cashews"),
    }));
    const { message, ...difference } = await different(other);
    const was = find(lines, (line) => line.n === difference.line);
    assert.deepEqual(difference, {
      line: was.n,
      call: { number: 4, method: "endSession" },
      in: "host_call",
      path: "args[0][1]",
      expected: "Ana is allergic to peanuts",
      came: "Ana is allergic to cashews",
    });
    assert.equal(was.ask, "embed");
    assert.equal(
      message,
      `line ${was.n}, call 4, endSession: embed, args[0][1]: ` +
        'expected "Ana is allergic to peanuts", got "Ana is allergic to cashews"',
    );
  });

  test("where the configuration is another", async () => {
    const config = { ...everything(memoryHost).config, window: { maxTokens: 8_000 } };
    const { message, ...difference } = await different(whole.lines, { config });
    assert.deepEqual(difference, {
      line: find(whole.lines, ({ result }) => result === 2).n,
      call: { number: 1, method: "load" },
      in: "result",
      path: "value.report.tokens.budget",
      expected: 64_000,
      came: 8_000,
    });
    assert.match(message, /load: value\.report\.tokens\.budget: expected 64000, got 8000$/);
  });

  test("where a host call is another, one too many or one too few", async () => {
    const lines = await recording({}, (memory) => memory.summary(monday));
    const [header, call, get, answer, ...others] = parsed(lines);
    assert.equal(get.ask, "get");
    const numbered = (list) =>
      list.map((line, at) => `${JSON.stringify({ ...line, n: at + 1 })}\n`);
    const asks = ({ ask, args }) => ({ ask, args });

    const wrong = await different(numbered([header, call, { ...get, ask: "range" }, answer]));
    assert.equal(wrong.path, "");
    assert.deepEqual(wrong.expected, { ...asks(get), ask: "range" });
    assert.deepEqual(wrong.came, asks(get));

    const [result, end] = others;
    const much = await different(numbered([header, call, { ...end }]));
    assert.deepEqual([much.line, much.came, "expected" in much], [3, asks(get), false]);
    assert.match(much.message, /^line 3, call 1, summary: expected nothing, got \{"ask":"get"/);

    const few = await different(numbered([header, call, get, get, answer, result, end]));
    assert.deepEqual([few.line, few.expected, "came" in few], [4, asks(get), false]);
    assert.match(few.message, /^line 4, call 1, summary: expected \{"ask":"get".*, got nothing$/);
  });

  test("where a call failed and does not now", async () => {
    const lines = await recording({}, async (memory) => {
      await assert.rejects(memory.recall(ana, "x", { limit: -1 }), { code: "invalid_input" });
    });
    const { n } = find(lines, ({ call }) => call === "recall");
    const other = changed(lines, n, ({ request }) => ({ request: { ...request, limit: 1 } }));
    const { in: what, path, expected, came } = await different(other);
    assert.deepEqual([what, path], ["result", ""]);
    assert.equal(expected.error.path, "limit");
    assert.equal(came.ask, "now");
  });
});

describe("a trace", () => {
  test("is read as it is replayed", async () => {
    const { lines } = whole;
    const { n, answer } = find(lines, ({ value }) => `${value}`.includes("peanuts"));
    assert.ok(answer < n);
    const other = changed(lines, n, () => ({ value: "{}" }));
    let read = 0;
    async function* source() {
      for (const line of other) {
        read += 1;
        yield line;
      }
    }
    const difference = await different(source());
    assert.ok(read < difference.line + 20, `${read} lines were read for line ${difference.line}`);
    assert.ok(read < lines.length / 2);
  });

  test("comes in pieces that end anywhere", async () => {
    const text = whole.lines.join("");
    async function* pieces() {
      for (let at = 0; at < text.length; at += 777) yield text.slice(at, at + 777);
    }
    await same(pieces());
    await same(text);
    await same(text.replaceAll("\n", "\r\n\n").trim());
  });

  test("of an instance that was closed in the middle of a call is the same again", async () => {
    let asked = () => {};
    const isAsked = new Promise((resolve) => {
      asked = resolve;
    });
    const llm = () => {
      asked();
      return new Promise(() => {});
    };
    const lines = await recording({ llm }, async (memory) => {
      await memory.append(monday, [{ role: "user", content: "I live in Hangzhou." }]);
      const ended = memory.endSession(monday);
      await isAsked;
      memory.close();
      assert.equal((await ended).judgedBy, "rules");
    });
    assert.equal(find(lines, ({ error }) => error?.code === "closed").error.name, "SiltstoneError");
    await same(lines);
  });
});

const SHARED = JSON.stringify(join(root, "tests/package/shared/trace.mjs"));
const SCRIPT = `
import { readFileSync } from "node:fs";
import { Siltstone } from "siltstone";
import { memoryHost } from "siltstone/hosts/memory";
import { record, replay } from "siltstone/trace";
import { recorded } from ${SHARED};
const replayed = await replay(readFileSync("trace.jsonl", "utf8"), { Siltstone });
const { lines } = await recorded(Siltstone, memoryHost, record);
console.log(JSON.stringify({ replayed, lines }));
`;

for (const [name, runtime] of Object.entries(PROCESSES)) {
  test(`in ${name} it is the same, and what is recorded there is the same here`, async () => {
    const files = { "trace.jsonl": whole.lines.join("") };
    const { replayed, lines } = JSON.parse(await runIn(runtime, SCRIPT, files));
    assert.deepEqual(replayed, await replay(whole.lines, { Siltstone }));
    await same(lines);
  });
}

const WORKER = `
import { Siltstone } from "siltstone";
import { cloudflareHost } from "siltstone/hosts/cloudflare";
import { memoryHost } from "siltstone/hosts/memory";
import { record, replay } from "siltstone/trace";
import { recorded } from ${SHARED};

const lines = [];
let memory;
export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname === "/replay") {
      const text = request.body.pipeThrough(new TextDecoderStream());
      return Response.json(await replay(text, { Siltstone }));
    }
    if (pathname === "/record") {
      const { lines } = await recorded(Siltstone, memoryHost, record);
      return new Response(lines.join(""));
    }
    if (pathname === "/close") {
      (await memory).close();
      return new Response(lines.join(""));
    }
    memory ??= Siltstone.create({
      host: cloudflareHost(env),
      config: { agent: { longMemory: true, model: "small" } },
      trace: record({ write: (line) => lines.push(line) }),
    });
    const siltstone = await memory;
    const settled = ["a", "b"].map(async (part) => {
      const scope = { user: pathname.slice(1), session: part };
      await siltstone.append(scope, [{ role: "user", content: "I live in " + pathname.slice(1) }]);
      await siltstone.load({ scope, message: "Where do I live?" });
      return siltstone.endSession(scope);
    });
    return Response.json(await Promise.all(settled));
  },
};
`;

describe("in workerd", () => {
  let worker;
  before(async () => {
    worker = await startWorker(folder, WORKER);
  });
  after(() => worker?.dispose());

  const post = async (path, body = "") => {
    const response = await request(`${worker.url}${path}`, { method: "POST", body });
    assert.equal(response.status, 200);
    return response.text();
  };

  test("what Node recorded is the same", async () => {
    const here = await replay(whole.lines, { Siltstone });
    assert.deepEqual(JSON.parse(await post("/replay", whole.lines.join(""))), here);
  });

  test("what it recorded is the same in Node", async () => {
    const lines = (await post("/record")).split("\n");
    const { calls } = await same(lines.map((line) => `${line}\n`));
    assert.ok(calls > 10);
  });

  test("what requests at the same time did with one instance is the same in Node", async () => {
    const cities = Array.from({ length: 8 }, (_, at) => `/City${at}`);
    const reports = await Promise.all(cities.map((city) => post(city)));
    const settled = reports.flatMap((report) => JSON.parse(report));
    assert.ok(settled.every(({ status }) => status === "done"));
    const text = await post("/close");
    const { calls } = await same(text);
    assert.equal(calls, 3 * settled.length);
    const kinds = parsed(text.trim().split("\n")).filter(({ call, result }) => call ?? result);
    assert.ok(kinds.some(({ call }, at) => call && kinds[at + 1]?.call));
  });
});
