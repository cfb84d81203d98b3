// Counts what the memory asks of its store: per turn, per session end and per user.
//
//   node scripts/growth.mjs [MEMORIES…]
//
// The figures are those of the package on a host that counts; they are the same on every store.
// `make build` has to come first.

import { Siltstone } from "../dist/package/entries/node.js";
import { memoryHost } from "../dist/package/hosts/memory.js";

const SIZES = process.argv.slice(2).map(Number);
const MEMORIES = SIZES.length > 0 ? SIZES : [0, 100, 1_000, 2_000];
/** Messages of a session before it ends, and characters of each. */
const SESSION = 20;
const WORDS = ["tide", "bridge", "moss", "map", "loom", "comet", "salt", "clock", "reed", "kiln"];
const START_MS = Date.UTC(2026, 0, 5);
/** Memories that one session end of the set-up brings. */
const BATCH = 40;

const bytesOf = (text) => Buffer.byteLength(text ?? "");

/** A host in memory that counts what is asked of it. */
function countingHost() {
  const { store } = memoryHost();
  const cached = new Map();
  let clock = START_MS;
  let seed = 1;
  let counts;
  const host = {
    now: () => {
      clock += 1;
      return clock;
    },
    random: (length) =>
      Uint8Array.from({ length }, () => {
        seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
        return seed >>> 24;
      }),
    log: () => {},
    store: {
      get: async (keys) => {
        const found = await store.get(keys);
        counts.gets += 1;
        counts.keysRead += keys.length;
        counts.bytesRead += found.reduce((sum, entry) => sum + bytesOf(entry?.value), 0);
        return found;
      },
      range: async (range) => {
        const found = await store.range(range);
        counts.ranges += 1;
        counts.keysRead += found.length;
        counts.bytesRead += found.reduce((sum, entry) => sum + bytesOf(entry.value), 0);
        return found;
      },
      commit: async (batch) => {
        const { puts, deletes } = batch;
        counts.commits += 1;
        counts.mostChecks = Math.max(counts.mostChecks, batch.checks.length);
        counts.mostWritten = Math.max(counts.mostWritten, puts.length + deletes.length);
        counts.keysWritten += puts.length + deletes.length;
        counts.bytesWritten += puts.reduce((sum, { value }) => sum + bytesOf(value), 0);
        return store.commit(batch);
      },
    },
    cache: {
      get: async (key) => {
        const value = cached.get(key) ?? null;
        counts.cacheGets += 1;
        counts.cacheBytes += bytesOf(value);
        return value;
      },
      put: async (key, value) => {
        counts.cachePuts += 1;
        counts.cacheBytes += bytesOf(value);
        cached.set(key, value);
      },
    },
  };
  const reset = () => {
    counts = Object.fromEntries(COLUMNS.map(([name]) => [name, 0]));
  };
  reset();
  return {
    host,
    store,
    /** What some work asks of the host. */
    measure: async (work) => {
      reset();
      await work();
      return { ...counts };
    },
  };
}

const COLUMNS = [
  ["gets", "get"],
  ["ranges", "range"],
  ["commits", "commit"],
  ["keysRead", "keys read"],
  ["bytesRead", "bytes read"],
  ["keysWritten", "keys written"],
  ["bytesWritten", "bytes written"],
  ["mostWritten", "most in a commit"],
  ["mostChecks", "most checks"],
  ["cacheGets", "cache get"],
  ["cachePuts", "cache put"],
  ["cacheBytes", "cache bytes"],
];

/** A fact that no other number gives, of some 80 characters. */
function fact(number) {
  const word = (at) => WORDS[Math.floor(number / WORDS.length ** at) % WORDS.length];
  return `Keeps item ${number} of the ${word(0)}-${word(1)} set in drawer ${number * 7} of the ${word(2)} room`;
}

/** A judge that brings the facts from one number up to another, each of the last message. */
function judge(facts) {
  return async ({ purpose, messages }) => {
    if (purpose !== "judge") throw new Error("only judging is scripted");
    const ids = [...messages.at(-1).content.matchAll(/"id"\s*:\s*"?([^",}\s]+)/g)];
    return JSON.stringify({
      memories: facts.splice(0).map((content) => ({
        content,
        category: "other",
        importance: 7,
        scope: "user",
        ...(ids.length > 0 && { messageIds: [ids.at(-1)[1]] }),
      })),
    });
  };
}

const talk = (session, count) =>
  Array.from({ length: count }, (_, at) => ({
    id: `${session}-${at}`,
    role: at % 2 === 0 ? "user" : "assistant",
    content: `Message ${at} of ${session}: ${"some words about the day, ".repeat(5)}`,
  }));

const config = { agent: { longMemory: true, model: "gpt-4o" }, life: { maxHot: 10_000 } };

async function userWith(count) {
  const counting = countingHost();
  const facts = [];
  const options = { host: counting.host, llm: judge(facts), config };
  const memory = await Siltstone.create(options);
  for (let at = 0; at < count; at += BATCH) {
    const scope = { user: "ana", session: `before-${at}` };
    await memory.append(scope, talk(scope.session, 2));
    for (let one = at; one < Math.min(count, at + BATCH); one += 1) facts.push(fact(one));
    await memory.endSession(scope);
  }
  return { counting, memory, facts, another: () => Siltstone.create(options) };
}

function print(title, rows) {
  const header = [title, ...COLUMNS.map(([, label]) => label)];
  const cells = rows.map(([name, counts]) => [
    name,
    ...COLUMNS.map(([field]) => counts[field].toLocaleString("en")),
  ]);
  const table = [header, ...cells];
  const widths = header.map((_, at) => Math.max(...table.map((row) => row[at].length)));
  const line = (row) =>
    `| ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join(" | ")} |`;
  console.log(line(header));
  console.log(`|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`);
  for (const row of cells) console.log(line(row));
  console.log();
}

const scope = { user: "ana", session: "today" };
const pair = (name) => talk(name, 2);

for (const count of MEMORIES) {
  const { counting, memory, facts, another } = await userWith(count);
  const { measure, store } = counting;
  const stats = await memory.memories({ user: "ana" }).stats();
  const load = (instance, message) => instance.load({ scope, message });
  await memory.append(scope, talk("warm-up", SESSION - 4));
  await load(memory, "Where is item 7?");
  const rows = [
    ["load", await measure(() => load(memory, "Where is item 42?"))],
    ["append of 2 messages", await measure(() => memory.append(scope, pair("turn")))],
  ];
  const cold = await another();
  rows.push(["load, new instance", await measure(() => load(cold, "Where is item 42?"))]);
  cold.close();
  await memory.append(scope, pair("last"));
  facts.push(...[0, 1, 2].map((at) => fact(count + 1_000_000 + at)));
  rows.push([
    `end of ${SESSION} messages, 3 memories`,
    await measure(() => memory.endSession(scope)),
  ]);
  rows.push(["maintain", await measure(() => memory.maintain())]);
  print(`${stats.hot} memories`, rows);

  const entries = await store.range({ start: " ", end: "~~", limit: 1e9, reverse: false });
  const kinds = new Map();
  for (const { key, value } of entries) {
    const kind = key.startsWith("u1!") ? "registry" : key.split("!")[3];
    const sum = kinds.get(kind) ?? { keys: 0, bytes: 0 };
    kinds.set(kind, { keys: sum.keys + 1, bytes: sum.bytes + key.length + bytesOf(value) });
  }
  const all = [...kinds.values()].reduce((a, b) => ({
    keys: a.keys + b.keys,
    bytes: a.bytes + b.bytes,
  }));
  const listed = [...kinds].map(([kind, { keys, bytes }]) => `${kind} ${keys} (${bytes})`);
  console.log(`stored, keys (bytes): ${listed.join(", ")}; all ${all.keys} (${all.bytes})\n`);
  memory.close();
}
