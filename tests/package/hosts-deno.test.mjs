// The host over Deno KV, in Deno and offline.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { promisify } from "node:util";
import { temporaryFolder } from "./servers.mjs";
import { STORE } from "./shared/conformance.mjs";
import { installPackage, root } from "./support.mjs";

const SHARED = JSON.stringify(join(root, "tests/package/shared/conformance.mjs"));

let folder;

before(() => {
  folder = installPackage();
});

/** Runs code that has `kv`, `open`, `commit`; gives what its last line prints as JSON. */
async function deno(code, { file = ":memory:", check = false } = {}) {
  const script = join(folder, `${Math.random().toString(36).slice(2)}.${check ? "ts" : "mjs"}`);
  writeFileSync(
    script,
    `import { Siltstone } from "siltstone";
    import { denoKvHost } from "siltstone/hosts/deno-kv";
    import { checkHost } from "siltstone/testing";
    import { conformance } from ${SHARED};
    const kv = await Deno.openKv(${JSON.stringify(file)});
    const open = () => denoKvHost(kv);
    const { store } = open();
    const commit = (batch${check ? ": object" : ""}) => store.commit({ checks: [], puts: [], deletes: [], ...batch });
    const parts = async () => (await Array.fromAsync(kv.list({ prefix: ["siltstone", "part"] }))).length;
    ${code}
    kv.close();`,
  );
  const flags = ["--unstable-kv", "--no-prompt", "--cached-only", "--node-modules-dir=manual"];
  const args = ["run", ...flags, check ? "--check" : "--no-check", "--allow-read", "--allow-write"];
  const env = { ...process.env, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
  const run = promisify(execFile)(join(root, "node_modules/.bin/deno"), [...args, script], {
    cwd: folder,
    env,
    timeout: 120_000,
  });
  return JSON.parse((await run).stdout.trim().split("\n").at(-1));
}

for (const [name, file] of [
  ["in memory", () => ":memory:"],
  ["on disk", () => join(temporaryFolder(), "kv.db")],
]) {
  test(`Deno KV ${name} is a host, with nothing left over`, async () => {
    const code = `
      const result = await conformance(checkHost, open, Siltstone);
      console.log(JSON.stringify({ ...result, parts: await parts() }));`;
    assert.deepEqual(await deno(code, { file: file() }), { ...STORE, parts: 0 });
  });
}

test("what Deno.openKv gives has the type that the host takes", async () => {
  const code = "await store.get([]); console.log(JSON.stringify(await parts()));";
  assert.equal(await deno(code.replace("parts()", "1"), { check: true }), 1);
});

test("two processes over one file lose nothing", async () => {
  const file = join(temporaryFolder(), "kv.db");
  const code = `
    let done = 0;
    while (done < 30) {
      const [entry] = await store.get(["sum"]);
      const checks = [{ key: "sum", version: entry?.version ?? null }];
      const value = JSON.stringify({ sum: Number(JSON.parse(entry?.value ?? '{"sum":0}').sum) + 1, pad: "x".repeat(150_000) });
      done += (await commit({ checks, puts: [{ key: "sum", value }] })) ? 1 : 0;
    }
    console.log(JSON.stringify(done));`;
  await deno("console.log((await store.get(['a'])).length)", { file });
  assert.deepEqual(await Promise.all([deno(code, { file }), deno(code, { file })]), [30, 30]);
  const read = `
    const [{ value }] = await store.get(["sum"]);
    console.log(JSON.stringify([JSON.parse(value).sum, await parts()]));`;
  assert.deepEqual(await deno(read, { file }), [60, 3]);
});

test("more than one atomic operation takes is refused, with what to do, and writes nothing", async () => {
  const code = `
    const tell = ({ code, message, details }) => ({ code, message, details });
    const keys = (count, length = 8) => Array.from({ length: count }, (_, at) => String(at).padStart(length, "0"));
    const puts = (list) => list.map((key) => ({ key, value: "1" }));
    const thrown = [];
    for (const batch of [
      { puts: puts(keys(1001)) },
      { puts: puts(keys(50, 1800)) },
      { checks: keys(101).map((key) => ({ key, version: null })), puts: puts(keys(1)) },
    ]) {
      thrown.push(await commit(batch).catch(tell));
    }
    const left = await store.range({ start: "0", end: "9", limit: 10, reverse: false });
    const most = [
      await commit({ puts: puts(keys(1000)) }),
      await commit({ checks: keys(100, 9).map((key) => ({ key, version: null })) }),
      await commit({ puts: puts(keys(44, 1790)) }),
    ];
    console.log(JSON.stringify({ thrown, left, most }));`;
  const { thrown, left, most } = await deno(code);
  assert.deepEqual(
    thrown.map(({ code: name, details }) => [name, details.what, details.limit]),
    [
      ["too_large", "mutations", 1_000],
      ["too_large", "bytes of keys", 80_000],
      ["too_large", "checks", 100],
    ],
  );
  assert.match(thrown[0].message, /1001 mutations.*nothing was written.*fewer messages/);
  assert.deepEqual(left, []);
  assert.deepEqual(most, [true, true, true]);
});

test("an append of too many messages says to append fewer, through the memory too", async () => {
  const code = `
    const memory = await Siltstone.create({ host: open() });
    const scope = { user: "ana", session: "s" };
    const messages = Array.from({ length: 600 }, (_, at) => ({ id: "m" + at, role: "user", content: "hi" }));
    const tell = ({ code, message }) => ({ code, message });
    const refused = await memory.append(scope, messages).catch(tell);
    await memory.append(scope, messages.slice(0, 300));
    const { messages: kept } = await memory.messages(scope, { limit: 1000 });
    console.log(JSON.stringify({ refused, kept: kept.length }));`;
  const { refused, kept } = await deno(code);
  assert.equal(refused.code, "too_large");
  assert.match(refused.message, /appending fewer messages/);
  assert.equal(kept, 300);
});

test("a commit of many megabytes is whole or not there", async () => {
  const code = `
    const puts = Array.from({ length: 40 }, (_, at) => ({ key: "k" + at, value: JSON.stringify("x".repeat(59_000)) }));
    const refused = await commit({ checks: [{ key: "k0", version: "00000000000000010000" }], puts });
    const afterRefusal = [await parts(), (await store.get(["k0"]))[0]];
    const done = await commit({ checks: [{ key: "k0", version: null }], puts });
    const found = await store.get(puts.map(({ key }) => key));
    const same = found.every(({ value }, at) => value === puts[at].value);
    await commit({ deletes: puts.map(({ key }) => key) });
    console.log(JSON.stringify({ refused, afterRefusal, done, same, parts: await parts() }));`;
  assert.deepEqual(await deno(code), {
    refused: false,
    afterRefusal: [0, null],
    done: true,
    same: true,
    parts: 0,
  });
});

test("a store of a newer version is left alone", async () => {
  const code = `
    await kv.set(["siltstone", "schema"], 9);
    const { code, details } = await commit({ puts: [{ key: "a", value: "1" }] }).catch((error) => error);
    const entries = (await Array.fromAsync(kv.list({ prefix: ["siltstone", "entry"] }))).length;
    console.log(JSON.stringify({ code, details, entries }));`;
  assert.deepEqual(await deno(code), {
    code: "store_failed",
    details: { reason: "newer_schema", found: 9, known: 1 },
    entries: 0,
  });
});
