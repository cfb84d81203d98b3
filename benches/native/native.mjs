// The hot paths of the core natively, by Criterion: cargo bench --bench core.

import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { root, run } from "../../scripts/lib/run.mjs";
import { summary } from "../lib/measure.mjs";
import { count, ms, table } from "../lib/report.mjs";

export function core({ quick, say }) {
  say("core: cargo bench");
  const target = resolve(root, process.env.CARGO_TARGET_DIR ?? "target");
  const folder = join(target, "criterion");
  rmSync(folder, { recursive: true, force: true });
  const short = quick ? ["--warm-up-time=0.2", "--measurement-time=0.3", "--sample-size=10"] : [];
  run("cargo", ["bench", "--quiet", "--bench=core", "--", "--quiet", "--noplot", ...short]);
  return readdirSync(folder)
    .filter((name) => name !== "report")
    .map((name) => {
      const read = (file) => JSON.parse(readFileSync(join(folder, name, "new", file), "utf8"));
      const { iters, times } = read("sample.json");
      // Nanoseconds of so many times each.
      const each = times.map((time, at) => time / iters[at] / 1e6);
      return { name: read("benchmark.json").title, ...summary(each) };
    })
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
}

export function describe(rows) {
  return {
    title: "The core, natively",
    text: [
      "One thread, by the clock; compiled as the core is.",
      table(
        ["", "least ms", "median ms", "samples"],
        rows.map(({ name, min, median, runs }) => [name, ms(min), ms(median), count(runs)]),
      ),
    ],
    plots: {},
    ratios: {},
  };
}
