// Compares token counting with other packages, on the same texts, each in a process of its own:
//   node benches/tokens/tokens.mjs
// `rows()` gives the figures, for a bench that shows several of these together.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
export const folder = join(here, "../../.bench/tokens");
const PACKAGES = {
  "ai-tokenizer": "1.0.6",
  "gpt-tokenizer": "4.0.0",
  "js-tiktoken": "1.0.21",
  tiktoken: "1.0.22",
};
const PEERS = ["tiktoken", "tiktoken-lite", "js-tiktoken", "gpt-tokenizer", "ai-tokenizer"];
const STARTS = 5;
/** A peer that is not done with hostile texts by then counts as not done. */
const PATIENCE_MS = 25_000;

/** Installs the peers, once, and measures each. */
export async function rows({ say = () => {} } = {}) {
  install();
  const measured = [];
  for (const name of ["siltstone", ...PEERS]) {
    say(`measuring ${name}`);
    measured.push(measure(name));
  }
  return measured;
}

/** How many times faster Siltstone is than the fastest peer, as `name=ratio` pairs. */
export function ratios([own, ...peers]) {
  const best = (of) => Math.max(...peers.map(of));
  const least = (of) => Math.min(...peers.map((peer) => of(peer) ?? Number.POSITIVE_INFINITY));
  const result = { start_cpu: least((peer) => peer.cold.cpuMs) / own.cold.cpuMs };
  for (const corpus of Object.keys(own.speed)) {
    result[`${corpus}_warm`] =
      own.speed[corpus].best / best((peer) => peer.speed[corpus]?.best ?? 0);
    result[`${corpus}_first`] =
      own.speed[corpus].first / best((peer) => peer.speed[corpus]?.first ?? 0);
  }
  for (const kind of Object.keys(own.hostile)) {
    result[`hostile_${kind}`] = least((peer) => peer.hostile[kind]) / own.hostile[kind];
  }
  return result;
}

function install() {
  const manifest = JSON.stringify({ private: true, dependencies: PACKAGES });
  const file = join(folder, "package.json");
  if (existsSync(file) && readFileSync(file, "utf8") === manifest) {
    return;
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "wanted.json"), manifest);
  const list = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
  execFileSync(
    "npm",
    [
      "install",
      "--prefix",
      folder,
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--no-save",
      ...list,
    ],
    { stdio: "inherit" },
  );
  writeFileSync(file, manifest);
}

/** The figures of one process, and the start of several: the least and the median. */
export function measure(name) {
  const runs = Array.from({ length: STARTS }, (_, at) => run(name, at > 0));
  const cold = (field) => runs.map((one) => one.cold[field]).sort((a, b) => a - b);
  const [ms, cpuMs] = [cold("ms"), cold("cpuMs")];
  return {
    ...runs[0],
    cold: { ms: ms[STARTS >> 1], cpuMs: cpuMs[STARTS >> 1], leastMs: ms[0], leastCpuMs: cpuMs[0] },
  };
}

function run(name, startOnly) {
  const args = [join(here, "peer.mjs"), name, folder, ...(startOnly ? ["start"] : [])];
  const { stdout } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [figures, ...hostile] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return { ...figures, hostile: Object.assign({}, ...hostile) };
}

export function print(measured) {
  const corpora = Object.keys(measured[0].speed);
  const table = measured.map(({ name, cold, speed, hostile }) => ({
    name,
    "start ms": cold.ms.toFixed(0),
    "CPU ms (least)": `${cold.cpuMs.toFixed(0)} (${cold.leastCpuMs.toFixed(0)})`,
    ...Object.fromEntries(
      corpora.map((corpus) => [
        `${corpus} MB/s`,
        `${speed[corpus].best.toFixed(1)} (median ${speed[corpus].median.toFixed(1)}, first ${speed[corpus].first.toFixed(1)})`,
      ]),
    ),
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
