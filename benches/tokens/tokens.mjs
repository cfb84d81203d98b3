// Compares token counting with other packages, on the same texts, each in a process of its own:
//   node benches/tokens/tokens.mjs
// `rows()` gives the figures, for a bench that shows several of these together.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { install } from "../lib/peers.mjs";

const here = dirname(fileURLToPath(import.meta.url));
/** What only counts, and the whole, whose `countTokens` gives a promise. */
const OWN = ["siltstone/tokens", "siltstone"];
/** The first of them, all texts of a slice at once. */
const BATCH = "siltstone/tokens countBatch";
const PEERS = ["tiktoken", "tiktoken-lite", "js-tiktoken", "gpt-tokenizer", "ai-tokenizer"];
const STARTS = 5;
/** The one whose counts are right. */
const EXACT = "tiktoken";
const STRINGS = 30_000;
/** A peer that is not done with hostile texts by then counts as not done. */
const PATIENCE_MS = 25_000;
const QUICK_PATIENCE_MS = 1_000;

/** Installs the peers, once, and measures each. */
export async function rows({ say = () => {}, quick = false } = {}) {
  const folder = install("peers");
  const measured = [];
  for (const name of [...OWN, BATCH, ...PEERS]) {
    say(`measuring ${name}`);
    measured.push(await measure(name, folder, quick));
  }
  say(`comparing counts of ${STRINGS} short texts`);
  const right = counts(EXACT, folder);
  for (const one of measured) {
    const own = counts(one.name, folder);
    one.mismatches = own.filter((count, at) => count !== right[at]).length;
    one.strings = own.length;
  }
  return measured;
}

export function counts(name, folder) {
  const args = [join(here, "peer.mjs"), name, folder, "counts", String(STRINGS)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", maxBuffer: 2 ** 26 }));
}

/** How many times faster Siltstone is than the fastest peer, as `name=ratio` pairs. */
export function ratios([own, ...others]) {
  const whole = others.find(({ name }) => OWN.includes(name));
  const batch = others.find(({ name }) => name === BATCH);
  const peers = others.filter((one) => one !== whole && one !== batch);
  const best = (of) => Math.max(...peers.map(of));
  const least = (of) => Math.min(...peers.map((peer) => of(peer) ?? Number.POSITIVE_INFINITY));
  const start = least((peer) => peer.cold.cpuMs);
  const result = { start_cpu: start / own.cold.cpuMs };
  if (whole !== undefined) {
    result.start_whole_cpu = start / whole.cold.cpuMs;
  }
  // Figures that were kept of an older run have none.
  if (own.estimate !== undefined) {
    result.start_without_vocabulary_cpu = start / own.estimate.cpuMs;
  }
  for (const corpus of Object.keys(own.speed)) {
    result[`${corpus}_warm`] =
      own.speed[corpus].best / best((peer) => peer.speed[corpus]?.best ?? 0);
    result[`${corpus}_first`] =
      own.speed[corpus].first / best((peer) => peer.speed[corpus]?.first ?? 0);
  }
  if (batch !== undefined) {
    const messages = (peer) => peer.speed.messages?.best ?? 0;
    result.messages_batch_warm = messages(batch) / best(messages);
  }
  for (const kind of Object.keys(own.hostile)) {
    result[`hostile_${kind}`] = least((peer) => peer.hostile[kind]) / own.hostile[kind];
  }
  return result;
}

/** The figures of one process, and the start of several: the least and the median. */
export async function measure(name, folder, quick) {
  const starts = quick ? 2 : STARTS;
  const runs = [await run(name, folder, quick ? QUICK_PATIENCE_MS : PATIENCE_MS)];
  while (runs.length < starts) {
    runs.push(await run(name, folder, PATIENCE_MS, "start"));
  }
  const measured = { ...runs[0], cold: starting(runs) };
  if (OWN.includes(name)) {
    const estimates = [];
    // Each takes no longer than a process does, and a few ms are told apart by many only.
    while (estimates.length < 4 * starts) {
      estimates.push(await run(name, folder, PATIENCE_MS, "estimate"));
    }
    measured.estimate = starting(estimates);
  }
  return measured;
}

function starting(runs) {
  const cold = (field) => runs.map((one) => one.cold[field]).sort((a, b) => a - b);
  const [ms, cpuMs] = [cold("ms"), cold("cpuMs")];
  const middle = runs.length >> 1;
  return { ms: ms[middle], cpuMs: cpuMs[middle], leastMs: ms[0], leastCpuMs: cpuMs[0] };
}

/** What one process prints; it has so long from its first line on. */
async function run(name, folder, patienceMs, ...more) {
  const child = spawn(process.execPath, [join(here, "peer.mjs"), name, folder, ...more], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const lines = [];
  let timer;
  for await (const line of createInterface(child.stdout)) {
    lines.push(JSON.parse(line));
    timer ??= setTimeout(() => child.kill("SIGKILL"), patienceMs);
  }
  clearTimeout(timer);
  await ended;
  const [figures, ...hostile] = lines;
  if (figures === undefined) {
    throw new Error(`${name} printed nothing`);
  }
  return { ...figures, hostile: Object.assign({}, ...hostile) };
}

export function print(measured) {
  const corpora = Object.keys(measured[0].speed);
  const table = measured.map(({ name, cold, speed, hostile, mismatches, strings }) => ({
    name,
    "start ms": cold.ms.toFixed(0),
    "CPU ms (least)": `${cold.cpuMs.toFixed(0)} (${cold.leastCpuMs.toFixed(0)})`,
    ...Object.fromEntries(
      corpora.map((corpus) => [
        `${corpus} MB/s`,
        `${speed[corpus].best.toFixed(1)} (median ${speed[corpus].median.toFixed(1)}, first ${speed[corpus].first.toFixed(1)})`,
      ]),
    ),
    mismatches: `${mismatches} of ${strings}`,
    "50,000 spaces ms": hostile.spaces?.toFixed(2) ?? "not done",
    "50,000 a ms": hostile.a?.toFixed(2) ?? "not done",
  }));
  console.table(table);
  const counts = measured.map(({ name, speed }) => ({
    name,
    ...Object.fromEntries(corpora.map((corpus) => [corpus, speed[corpus].tokens])),
  }));
  console.table(counts);
  const pairs = Object.entries(ratios(measured));
  console.log(pairs.map(([name, ratio]) => `${name}=${ratio.toFixed(2)}`).join(" "));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  print(await rows({ say: (text) => console.log(`→ ${text}`) }));
}
