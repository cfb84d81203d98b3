// Times are CPU times of the whole process, which another load on the machine changes little.
// Measures one tokenizer in a process of its own: node peer.mjs <name> <folder of the peers> [start].
// `estimate` is a start as well, of what counts without a vocabulary.
// In the place of `start`, `counts` and a number give its counts of so many short texts.

import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [name, folder, only, howMany] = process.argv.slice(2);

const from = (specifier) => {
  const require = createRequire(join(folder, "package.json"));
  return import(pathToFileURL(require.resolve(specifier)));
};
const own = (path) => import(new URL(`../../dist/package/${path}`, import.meta.url));

async function ownCounter() {
  const [{ tokenCounter }, { default: o200k }] = await Promise.all([
    own("tokens/node.js"),
    own("vocab/o200k_base.node.js"),
  ]);
  return tokenCounter(o200k);
}

/**
 * Each gives a function that counts the tokens of a text in o200k_base; its `ofList`, if it has one, counts
 * all texts of a list at once.
 */
const PEERS = {
  "siltstone/tokens": async () => {
    const counter = await ownCounter();
    return (text) => counter.count(text);
  },
  "siltstone/tokens estimate": async () => {
    const { tokenCounter } = await own("tokens/node.js");
    const counter = await tokenCounter("estimate");
    return (text) => counter.count(text);
  },
  "siltstone estimate": async () => {
    const [{ Siltstone }, { memoryHost }] = await Promise.all([
      own("entries/node.js"),
      own("hosts/memory.js"),
    ]);
    const config = { tokens: { encoding: "estimate" } };
    const memory = await Siltstone.create({ host: memoryHost(), config });
    return async (text) => (await memory.countTokens({ text })).tokens;
  },
  "siltstone/tokens countBatch": async () => {
    const counter = await ownCounter();
    const ofList = (list) => counter.countBatch(list).reduce((sum, one) => sum + one, 0);
    return Object.assign((text) => counter.count(text), { ofList });
  },
  siltstone: async () => {
    const [{ Siltstone }, { memoryHost }] = await Promise.all([
      own("entries/node.js"),
      own("hosts/memory.js"),
    ]);
    const memory = await Siltstone.create({ host: memoryHost() });
    return async (text) => (await memory.countTokens({ text })).tokens;
  },
  tiktoken: async () => {
    const { get_encoding: getEncoding } = (await from("tiktoken")).default;
    const encoding = getEncoding("o200k_base");
    return (text) => encoding.encode_ordinary(text).length;
  },
  "tiktoken-lite": async () => {
    const { Tiktoken } = (await from("tiktoken/lite")).default;
    const ranks = (await from("tiktoken/encoders/o200k_base")).default;
    const encoding = new Tiktoken(ranks.bpe_ranks, ranks.special_tokens, ranks.pat_str);
    return (text) => encoding.encode_ordinary(text).length;
  },
  "js-tiktoken": async () => {
    const { Tiktoken } = await from("js-tiktoken/lite");
    const ranks = (await from("js-tiktoken/ranks/o200k_base")).default;
    const encoding = new Tiktoken(ranks.default ?? ranks);
    return (text) => encoding.encode(text, [], []).length;
  },
  "gpt-tokenizer": async () => {
    const { countTokens } = await from("gpt-tokenizer/encoding/o200k_base");
    return (text) => countTokens(text, { disallowedSpecial: new Set() });
  },
  /** The Rust crate, as `crate.mjs` builds it. */
  "tiktoken-crate": async () => {
    const { readFile } = await import("node:fs/promises");
    const module = await WebAssembly.compile(await readFile(join(folder, "tiktoken_wasm.wasm")));
    const { exports: crate } = await WebAssembly.instantiate(module, {});
    const encoder = new TextEncoder();
    return (text) => {
      // UTF-8 takes at most three bytes for a unit of UTF-16.
      const room = text.length * 3;
      const at = crate.reserve(room);
      const { written } = encoder.encodeInto(text, new Uint8Array(crate.memory.buffer, at, room));
      return crate.count(written);
    };
  },
  "ai-tokenizer": async () => {
    const { Tokenizer } = (await from("ai-tokenizer")).default ?? {};
    const module = Tokenizer ? { Tokenizer } : await from("ai-tokenizer");
    const encoding = await from("ai-tokenizer/encoding/o200k_base");
    const tokenizer = new module.Tokenizer(encoding.default ?? encoding);
    return (text) => tokenizer.count(text);
  },
};

const spent = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

// The clock is loaded when it is first asked.
const start = performance.now();
spent();
const cpu = spent();
// Nothing else is loaded before, so that a start is that of a process which does nothing else.
const count = await PEERS[only === "estimate" ? `${name} estimate` : name]();
await count("Hello, world!");
const cold = { cpuMs: spent() - cpu, ms: performance.now() - start };

if (only === "counts") {
  const { strings } = await import("./strings.mjs");
  const counts = [];
  for (const text of strings(Number(howMany))) {
    try {
      counts.push(await count(text));
    } catch {
      // It refuses what looks like a special token.
      counts.push(null);
    }
  }
  console.log(JSON.stringify(counts));
  process.exit(0);
}

if (only === "start" || only === "estimate") {
  console.log(JSON.stringify({ name, cold }));
  process.exit(0);
}

const { corpora } = await import("./corpora.mjs");

async function sum(list) {
  let tokens = 0;
  for (const one of list) {
    // Waiting for what is there already takes as long as counting a short message.
    const counted = count(one);
    tokens += typeof counted === "number" ? counted : await counted;
  }
  return tokens;
}

const speed = {};
for (const [corpus, slices] of Object.entries(corpora())) {
  const rates = [];
  let tokens = 0;
  // Every slice is counted once: on a text seen before, caches would be measured.
  for (const list of slices) {
    const bytes = list.reduce((sum, one) => sum + Buffer.byteLength(one), 0);
    const from = spent();
    tokens += count.ofList === undefined ? await sum(list) : count.ofList(list);
    rates.push(bytes / 1e3 / (spent() - from));
  }
  const [first] = rates;
  rates.sort((a, b) => a - b);
  speed[corpus] = { tokens, first, median: rates[rates.length >> 1], best: rates.at(-1) };
}

console.log(JSON.stringify({ name, cold, speed }));

// Last, each on a line of its own: some take minutes for it and are stopped.
const HOSTILE = { spaces: " ".repeat(50_000), a: "a".repeat(50_000) };
for (const [kind, text] of Object.entries(HOSTILE)) {
  const from = spent();
  await count(text);
  console.log(JSON.stringify({ [kind]: spent() - from }));
}
