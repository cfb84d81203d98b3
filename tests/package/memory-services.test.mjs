// The memory services' transports against servers that speak each API strictly: what they store is
// found again, what they refuse is told, and their odd answers come through as they are.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startMem0 } from "./servers/mem0.mjs";
import { startMem0Oss } from "./servers/mem0-oss.mjs";
import { startMemos } from "./servers/memos.mjs";
import { startMemosCloud } from "./servers/memos-cloud.mjs";
import { importFrom, installPackage } from "./support.mjs";

const KEY = "secret-0123456789";
const HEEDING = { heedsIdempotencyKeys: true };
let memos;
let mem0;

before(async () => {
  const folder = installPackage();
  ({ memos } = await importFrom(folder, "siltstone/providers/memos"));
  ({ mem0 } = await importFrom(folder, "siltstone/providers/mem0"));
});

/** A server for one suite, and `ask(path, body, …)` through the transport. */
function service(start, connect) {
  const bench = { odd: {} };
  before(async () => {
    bench.server = await start({ key: KEY, odd: bench.odd });
    const transport = connect(bench.server);
    bench.ask = (path, body, { method = "POST", ...options } = {}) =>
      transport({
        method,
        path,
        ...(body && { body }),
        operation: "search",
        isIdempotent: true,
        timeoutMs: 5_000,
        signal: new AbortController().signal,
        ...options,
      });
  });
  after(() => bench.server?.close());
  return bench;
}

const said = [{ role: "user", content: "I am allergic to peanuts" }];
const adding = { isIdempotent: false };

describe("MemOS, self-hosted", () => {
  const bench = service(startMemos, ({ baseUrl }) => memos({ baseUrl, apiKey: KEY, ...HEEDING }));
  const ask = (...args) => bench.ask(...args);
  const search = async (more = {}) => {
    const body = {
      query: "allergic peanuts",
      user_id: "ana",
      readable_cube_ids: ["a", "b"],
      ...more,
    };
    return (await ask("/search", body)).body;
  };
  const add = (cube, options = {}) =>
    ask(
      "/add",
      { user_id: "ana", writable_cube_ids: [cube], messages: said },
      { ...adding, ...options },
    );

  test("an add to a cube that is not there is accepted and lost", async () => {
    const { status, body } = await add("a");
    assert.deepEqual([status, body.code, body.data.length], [200, 200, 1]);
    assert.deepEqual((await search()).data.text_mem, []);
    const { body: there } = await ask("/exist_mem_cube_id", { mem_cube_id: "a" });
    assert.deepEqual(there.data, { a: false });
  });

  test("an id has one name in an add and another in a search, and cubes have no order", async () => {
    for (const cube of ["a", "b"]) {
      await ask("/create_cube", { cube_id: cube, cube_name: cube, owner_id: "ana" });
    }
    const added = [(await add("a")).body.data[0], (await add("b")).body.data[0]];
    const orders = new Set();
    for (const _ of [1, 2]) {
      const { text_mem } = (await search()).data;
      orders.add(text_mem.map(({ cube_id }) => cube_id).join());
      const ids = text_mem.flatMap(({ memories }) => memories.map(({ id }) => id));
      assert.deepEqual(ids.sort(), added.map(({ memory_id }) => memory_id).sort());
      assert.equal(text_mem[0].memories[0].metadata.relativity, 1);
    }
    assert.equal(orders.size, 2);
    const { data } = (await ask("/get_memory", { mem_cube_id: "a", page: 1, page_size: 5 })).body;
    assert.equal(data.text_mem[0].total_nodes, 1);
  });

  test("an add whose answer was lost is stored once when it is sent again", async () => {
    const { memories, faults } = bench.server;
    const before = memories.list().length;
    faults.push({ reset: "after" });
    const { body } = await add("a", { idempotencyKey: "k1" });
    assert.equal(memories.list().length, before + 1);
    assert.ok(memories.get(body.data[0].memory_id));
  });

  test("a failing delete, search and server have status 200", async () => {
    const { odd, memories } = bench.server;
    const [{ id }] = memories.list();
    Object.assign(odd, { keeps: true, emptySearch: true });
    const body = { writable_cube_ids: ["a"], memory_ids: [id] };
    const { body: kept } = await ask("/delete_memory", body);
    assert.deepEqual([kept.code, kept.data], [200, { status: "failure" }]);
    const found = await search();
    assert.deepEqual([found.code, found.data.text_mem], [200, []]);
    Object.assign(odd, { keeps: false, emptySearch: false, noScore: true, failsInside: true });
    assert.equal((await search()).code, 500);
    odd.failsInside = false;
    const [bucket] = (await search()).data.text_mem;
    assert.equal("relativity" in bucket.memories[0].metadata, false);
    const { body: gone } = await ask("/delete_memory", body);
    assert.deepEqual(gone.data, { status: "success" });
    assert.equal(memories.get(id), undefined);
  });

  test("what is missing, unknown or out of range is refused by name", async () => {
    for (const [path, body, field] of [
      ["/search", { user_id: "ana" }, "query"],
      ["/search", { user_id: "ana", query: "a", topK: 3 }, "topK"],
      ["/search", { user_id: "ana", query: "a", top_k: 0 }, "top_k"],
      ["/add", { user_id: "ana", messages: [{ content: "no role" }] }, "messages"],
      ["/get_memory", {}, "mem_cube_id"],
    ]) {
      const { status, body: answered } = await ask(path, body);
      assert.deepEqual([status, answered.code, answered.data], [422, 422, null]);
      assert.ok(answered.detail.some(({ loc }) => loc.includes(field)));
    }
    const { status } = await ask("/delete_memory", { memory_ids: ["a"], user_id: "ana" });
    assert.equal(status, 400);
  });
});

describe("MemOS, cloud", () => {
  const bench = service(startMemosCloud, ({ baseUrl }) =>
    memos({ baseUrl, apiKey: KEY, api: "cloud", ...HEEDING }),
  );
  const ask = (...args) => bench.ask(...args);
  const add = (options = {}) =>
    ask(
      "/add/message",
      { messages: said, user_id: "ana", conversation_id: "s" },
      { ...adding, ...options },
    );
  const search = async () =>
    (await ask("/search/memory", { query: "peanuts", user_id: "ana", relativity: 0 })).body;

  test("success is code 0, and an add is a task that may be at it for a while, or fail", async () => {
    Object.assign(bench.server.odd, { looks: 2, failsTasks: 1 });
    for (const end of ["failed", "completed"]) {
      const { body } = await add();
      assert.deepEqual([body.code, body.data.success, body.data.status], [0, true, "running"]);
      assert.deepEqual((await search()).data.memory_detail_list, []);
      const { task_id } = body.data;
      const states = [];
      for (const _ of [1, 2]) {
        states.push((await ask("/get/status", { task_id })).body.data.status);
      }
      assert.deepEqual(states, ["running", end]);
    }
    bench.server.odd.looks = 0;
    const [{ memory_value, relativity }] = (await search()).data.memory_detail_list;
    assert.deepEqual([memory_value, relativity], [said[0].content, 1]);
  });

  test("an add whose answer was lost is stored once when it is sent again", async () => {
    const before = bench.server.memories.list().length;
    bench.server.faults.push({ reset: "after" });
    await add({ idempotencyKey: "k1" });
    assert.equal(bench.server.memories.list().length, before + 1);
  });

  test("what is deleted is gone, and what is wrong is refused", async () => {
    const [{ id }] = bench.server.memories.list();
    bench.server.odd.keeps = true;
    assert.deepEqual((await ask("/delete/memory", { memory_ids: [id] })).body.data, {
      success: false,
    });
    bench.server.odd.keeps = false;
    assert.deepEqual((await ask("/delete/memory", { memory_ids: [id] })).body.data, {
      success: true,
    });
    assert.equal(bench.server.memories.get(id), undefined);
    const { status, body } = await ask("/search/memory", { query: "a", user_id: "ana", top_k: 3 });
    assert.deepEqual([status, body.message], [400, "body.top_k: unknown field"]);
  });
});

describe("Mem0, platform", () => {
  const bench = service(startMem0, ({ baseUrl }) => mem0({ baseUrl, apiKey: KEY, ...HEEDING }));
  const ask = (...args) => bench.ask(...args);
  const add = (options = {}) =>
    ask(
      "/v3/memories/add/",
      { messages: said, user_id: "ana", infer: false },
      { ...adding, ...options },
    );
  const search = async (user = "ana") => {
    const body = { query: "peanuts", filters: { AND: [{ user_id: user }] }, top_k: 5 };
    return (await ask("/v3/memories/search/", body)).body.results;
  };

  test("an add is an event that is pending at first", async () => {
    Object.assign(bench.server.odd, { looks: 2, failsEvents: 1 });
    for (const end of ["FAILED", "SUCCEEDED"]) {
      const { body } = await add();
      assert.equal(body.status, "PENDING");
      assert.deepEqual(await search(), []);
      const states = [];
      for (const _ of [1, 2]) {
        const { body: event } = await ask(`/v1/event/${body.event_id}/`, undefined, {
          method: "GET",
        });
        states.push(event.status);
      }
      assert.deepEqual(states, ["PENDING", end]);
    }
    bench.server.odd.looks = 0;
    const [{ memory, score, user_id }] = await search();
    assert.deepEqual([memory, score, user_id], [said[0].content, 1, "ana"]);
    assert.deepEqual(await search("eve"), []);
  });

  test("an add whose answer was lost is stored once when it is sent again", async () => {
    const before = bench.server.memories.list().length;
    bench.server.faults.push({ reset: "after" });
    await add({ idempotencyKey: "k1" });
    assert.equal(bench.server.memories.list().length, before + 1);
  });

  test("a memory is read, changed and deleted by its path, with a slash at its end", async () => {
    const [{ id }] = await search();
    await ask(`/v1/memories/${id}/`, { text: "No peanuts" }, { method: "PUT" });
    const { body } = await ask(`/v1/memories/${id}/history/`, undefined, { method: "GET" });
    assert.deepEqual(
      body.map(({ event, new_memory }) => [event, new_memory]),
      [
        ["ADD", said[0].content],
        ["UPDATE", "No peanuts"],
      ],
    );
    assert.equal((await ask(`/v1/memories/${id}`, undefined, { method: "DELETE" })).status, 404);
    assert.equal((await ask(`/v1/memories/${id}/`, undefined, { method: "DELETE" })).status, 200);
    assert.equal((await ask(`/v1/memories/${id}/`, undefined, { method: "DELETE" })).status, 404);
  });

  test("what is missing or unknown is refused", async () => {
    const { status, body } = await ask("/v3/memories/search/", { query: "a", user_id: "ana" });
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(body).sort(), ["filters", "user_id"]);
    assert.equal((await ask("/v3/memories/search/", { query: "a", filters: {} })).status, 400);
    assert.equal((await ask("/v3/memories/add/", { messages: said })).status, 400);
  });
});

describe("Mem0, open-source server", () => {
  const bench = service(startMem0Oss, ({ baseUrl }) =>
    mem0({ baseUrl, apiKey: KEY, api: "oss", ...HEEDING }),
  );
  const ask = (...args) => bench.ask(...args);

  test("an add answers what is new; it is found, read and deleted by its id", async () => {
    const { body } = await ask("/memories", { messages: said, user_id: "ana" }, adding);
    const [{ id, event }] = body.results;
    assert.equal(event, "ADD");
    const search = { query: "peanuts", filters: { user_id: "ana" }, top_k: 5, threshold: 0 };
    const { body: found } = await ask("/search", search);
    assert.deepEqual([found.results[0].id, found.results[0].score], [id, 1]);
    const one = await ask(`/memories/${id}`, undefined, { method: "GET" });
    assert.equal(one.body.user_id, "ana");
    const listed = await ask("/memories?user_id=ana", undefined, { method: "GET" });
    assert.equal(listed.body.results.length, 1);
    assert.equal((await ask(`/memories/${id}`, undefined, { method: "DELETE" })).status, 200);
    assert.equal((await ask(`/memories/${id}`, undefined, { method: "GET" })).body, null);
  });

  test("an add whose answer was lost is stored once when it is sent again", async () => {
    bench.server.faults.push({ reset: "after" });
    const body = { messages: said, user_id: "eve" };
    await ask("/memories", body, { ...adding, idempotencyKey: "k1" });
    assert.equal(bench.server.memories.list(({ user_id }) => user_id === "eve").length, 1);
  });

  test("what is missing or unknown is refused by name", async () => {
    const { status, body } = await ask("/search", { filters: { user_id: "ana" }, rerank: true });
    assert.equal(status, 422);
    assert.deepEqual(
      body.detail.map(({ loc }) => loc.at(-1)),
      ["rerank", "query"],
    );
    assert.equal((await ask("/memories", { messages: said })).status, 400);
  });
});
