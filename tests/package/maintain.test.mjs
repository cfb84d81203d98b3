// Maintenance where people run it: a Worker's cron trigger, a Durable Object's alarm, a timer in
// Node. `Deno.cron` and the browser have files of their own.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { AGED, FRESH } from "./shared/ageing.mjs";
import { importFrom, installPackage, request, root, startWorker } from "./support.mjs";

const AGEING = JSON.stringify(join(root, "tests/package/shared/ageing.mjs"));

let folder;
let maintain;

before(async () => {
  folder = installPackage();
  maintain = await importFrom(folder, "siltstone/maintain");
});

const DONE = {
  users: 1,
  evicted: 2,
  promoted: 3,
  forgotten: 4,
  changes: [],
  done: true,
  nextRunAt: 0,
};

/** Something to maintain that answers from a list, its last answer again and again. */
function scripted(...answers) {
  const asked = [];
  const nextOf = () => answers[Math.min(asked.length, answers.length) - 1];
  return {
    asked,
    async maintain(options) {
      asked.push(options);
      const answer = nextOf();
      if (answer instanceof Error) throw answer;
      return { ...DONE, ...answer };
    },
  };
}

async function until(holds) {
  const end = Date.now() + 20_000;
  while (!(await holds())) {
    assert.ok(Date.now() < end, `still not so after 20 s: ${holds}`);
    await sleep(10);
  }
}

describe("slices", () => {
  test("go on until nothing is left, and are summed up", async () => {
    const [ana, bob] = [{ user: "ana" }, { user: "bob" }];
    const memory = scripted(
      { changes: [ana], done: false },
      { done: false },
      { changes: [bob], nextRunAt: 7 },
    );
    assert.deepEqual(await maintain.slices(memory, { limit: 5 }), {
      users: 3,
      evicted: 6,
      promoted: 9,
      forgotten: 12,
      changes: [ana, bob],
      done: true,
      nextRunAt: 7,
    });
    assert.deepEqual(memory.asked, [{ limit: 5 }, { limit: 5 }, { limit: 5 }]);
  });

  test("stop when the time is used up, after one at least", async () => {
    const memory = scripted({ done: false });
    assert.equal((await maintain.slices(memory, { budgetMs: 0 })).done, false);
    assert.equal(memory.asked.length, 1);
    await maintain.slices(memory, { budgetMs: 50 });
    assert.ok(memory.asked.length > 2);
  });
});

describe("a timer", () => {
  const start = (memory, options = {}) => {
    const controller = new AbortController();
    const { signal } = controller;
    maintain.every(memory, { signal, ...options });
    return controller;
  };

  test("goes on at once while there is something to do, then as the memory asks", async () => {
    const nextRunAt = Date.now() + 1_500;
    const memory = scripted({ done: false }, { done: false }, { nextRunAt }, {});
    const timer = start(memory);
    await until(() => memory.asked.length === 3);
    await until(() => memory.asked.length === 4);
    assert.ok(Date.now() >= nextRunAt - 50);
    timer.abort();
  });

  test("keeps its interval, and never runs without a pause", async () => {
    const often = scripted({ nextRunAt: 0 });
    const timers = [start(often, { intervalMs: 20, limit: 3 })];
    const past = scripted({ nextRunAt: 0 });
    timers.push(start(past));
    await until(() => often.asked.length > 4);
    assert.deepEqual(often.asked[0], { limit: 3 });
    assert.equal(past.asked.length, 1);
    for (const timer of timers) timer.abort();
  });

  test("ends by its signal, also during a slice", async () => {
    const memory = scripted({});
    const timer = start(memory, { intervalMs: 5 });
    await until(() => memory.asked.length === 2);
    timer.abort();
    await sleep(50);
    assert.ok(memory.asked.length <= 3);
    start(memory, { signal: AbortSignal.abort() });
    const before = memory.asked.length;
    await sleep(50);
    assert.equal(memory.asked.length, before);
  });

  test("goes on after a fault, and ends with the instance", async () => {
    const closed = Object.assign(new Error("closed"), { code: "closed" });
    const memory = scripted(new Error("no disk"), {}, closed);
    const errors = [];
    start(memory, { intervalMs: 5, onError: (error) => errors.push(error.message) });
    await until(() => memory.asked.length === 3);
    await sleep(50);
    assert.equal(memory.asked.length, 3);
    assert.deepEqual(errors, ["no disk"]);
  });

  test("keeps no process alive, and archives what has aged", () => {
    const file = join(folder, "every.mjs");
    writeFileSync(
      file,
      `
      import { Siltstone } from "siltstone";
      import { memoryHost } from "siltstone/hosts/memory";
      import { every } from "siltstone/maintain";
      import { age, figures } from ${AGEING};
      const { memory, later } = await age(Siltstone, memoryHost());
      const before = await figures(memory);
      later();
      every(memory, { limit: 1 });
      await new Promise((resolve) => setTimeout(resolve, 500));
      console.log(JSON.stringify([before, await figures(memory)]));
      `,
    );
    const printed = execFileSync(process.execPath, [file], { encoding: "utf8", timeout: 20_000 });
    assert.deepEqual(JSON.parse(printed), [FRESH, AGED]);
  });
});

const WORKER = `
import { DurableObject } from "cloudflare:workers";
import { Siltstone } from "siltstone";
import { cloudflareHost } from "siltstone/hosts/cloudflare";
import { alarm, scheduled, startAlarm } from "siltstone/maintain";
import { age, figures } from ${AGEING};

let aged;
const open = (env) => (aged ??= age(Siltstone, cloudflareHost(env)));

export class Keeper extends DurableObject {
  wake() {
    return startAlarm(this.ctx.storage);
  }
  async alarm() {
    await alarm((await open(this.env)).memory, this.ctx.storage, { limit: 1 });
  }
  next() {
    return this.ctx.storage.getAlarm();
  }
}

export default {
  async fetch(request, env) {
    const { memory, later } = await open(env);
    const keeper = env.KEEPER.getByName("keeper");
    const answers = {
      "/figures": () => figures(memory),
      "/later": () => later(),
      "/wake": () => keeper.wake(),
      "/next": () => keeper.next(),
    };
    return Response.json((await answers[new URL(request.url).pathname]()) ?? null);
  },
  scheduled: scheduled(async (env) => (await open(env)).memory, { limit: 1 }),
};
`;

describe("in workerd", () => {
  const run = async (t) => {
    const worker = await startWorker(folder, WORKER, {
      durableObjects: { KEEPER: { className: "Keeper", useSQLite: true } },
      unsafeTriggerHandlers: true,
    });
    t.after(() => worker.dispose());
    return async (path) => {
      const text = await (await request(worker.url + path)).text();
      return text === "ok" ? text : JSON.parse(text);
    };
  };

  test("a cron trigger looks after what has aged, slice after slice", async (t) => {
    const get = await run(t);
    assert.deepEqual(await get("/figures"), FRESH);
    await get("/later");
    assert.equal(await get("/cdn-cgi/handler/scheduled?cron=*/10+*+*+*+*"), "ok");
    await until(async () => (await get("/figures")).gone === AGED.gone);
    assert.deepEqual(await get("/figures"), AGED);
  });

  test("a Durable Object's alarm does so, and sets the next one", async (t) => {
    const get = await run(t);
    assert.deepEqual(await get("/figures"), FRESH);
    await get("/later");
    assert.equal(await get("/next"), null);
    await get("/wake");
    await until(async () => (await get("/figures")).gone === AGED.gone);
    assert.deepEqual(await get("/figures"), AGED);
    await until(async () => (await get("/next")) > Date.now() + 60_000);
    const next = await get("/next");
    await get("/wake");
    assert.equal(await get("/next"), next);
  });
});
