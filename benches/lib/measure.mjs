// Times are CPU times of the whole process, which other load on the machine changes little. What a
// child measured comes back as the last line that it prints.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** CPU milliseconds that this process has spent so far, its threads included. */
export function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** What some work takes, in CPU ms, and what it gave. */
export async function timed(work) {
  const from = cpuMs();
  const result = await work();
  return { ms: cpuMs() - from, result };
}

/** The least and the median of some times. */
export function summary(times) {
  const sorted = [...times].sort((a, b) => a - b);
  return { min: sorted[0], median: sorted[sorted.length >> 1], runs: sorted.length };
}

/** Does something for each input and times each. */
export async function each(inputs, work) {
  const times = [];
  for (const input of inputs) {
    times.push((await timed(() => work(input))).ms);
  }
  return summary(times);
}

/** Runs a script in a process of its own: `script` beside the module of `base`. */
export function inProcess(base, script, options = {}, { env = {}, timeoutMs = 600_000 } = {}) {
  const { stdout, status, signal, error } = spawnSync(
    process.execPath,
    ["--expose-gc", fileURLToPath(new URL(script, base)), JSON.stringify(options)],
    {
      encoding: "utf8",
      env: { ...process.env, ...env },
      maxBuffer: 2 ** 28,
      timeout: timeoutMs,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  if (error !== undefined || status !== 0) {
    throw new Error(`${script} ended with ${error?.message ?? signal ?? status}`);
  }
  return JSON.parse(stdout.trim().split("\n").at(-1));
}

/** What the parent passed. */
export const options = () => JSON.parse(process.argv[2] ?? "{}");

/** Hands figures to the parent. */
export const answer = (figures) => console.log(JSON.stringify(figures));

/**
 * The figures of `repeats` processes: of each figure that has a least and a median, the least of the
 * least and the median of the medians; a bare number is the least.
 */
export function repeated(repeats, run) {
  return merged(Array.from({ length: repeats }, run));
}

function merged(runs) {
  const [first] = runs;
  if (typeof first === "number") {
    return Math.min(...runs);
  }
  if (first === null || typeof first !== "object") {
    return first;
  }
  if ("median" in first) {
    const medians = runs.map((one) => one.median).sort((a, b) => a - b);
    return {
      ...first,
      min: Math.min(...runs.map((one) => one.min)),
      median: medians[medians.length >> 1],
    };
  }
  const entries = Object.keys(first).map((key) => [key, merged(runs.map((one) => one[key]))]);
  return Array.isArray(first) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}
