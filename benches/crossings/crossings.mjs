// Crossing the boundary of the module: how often, and what each way costs.

import { join } from "node:path";
import { root, run } from "../../scripts/lib/run.mjs";
import { inProcess } from "../lib/measure.mjs";
import { count, ms, table } from "../lib/report.mjs";

const WASM = "wasm32-unknown-unknown";

export function crossings({ quick, say }) {
  say("crossings: building the module that is measured");
  const target = join(root, "target/crossings");
  const manifest = join(root, "benches/crossings/module/Cargo.toml");
  run("cargo", ["build", "--quiet", "--package", "siltstone-bindgen"]);
  run(
    "cargo",
    [
      "build",
      "--quiet",
      "--release",
      "--locked",
      `--manifest-path=${manifest}`,
      `--target=${WASM}`,
    ],
    {
      env: { CARGO_TARGET_DIR: target },
    },
  );
  const glue = join(target, "glue");
  const built = join(target, WASM, "release/siltstone_crossings.wasm");
  run(join(root, "target/debug/siltstone-bindgen"), [built, glue, "ways"]);
  say("crossings: counting and measuring");
  return {
    calls: inProcess(import.meta.url, "calls.mjs"),
    ways: inProcess(import.meta.url, "ways.mjs", { glue, rounds: quick ? 5 : 25 }),
  };
}

export function describe({ calls, ways: { values, vectors } }) {
  const largest = values.at(-1);
  return {
    title: "Crossing the boundary of the WebAssembly module",
    text: [
      "Calls of one call of the package, those of the store and the glue's own (strings, objects, promises) included:",
      table(
        ["", "into the module", "out of it"],
        Object.entries(calls).map(([name, { in: into, out }]) => [name, count(into), count(out)]),
      ),
      "The ways of one value, with nothing else done, median µs: as a text of JSON, `JSON.stringify` or `JSON.parse` included, or by serde-wasm-bindgen, object by object:",
      table(
        ["", "bytes of JSON", "in: text", "in: parts", "out: text", "out: parts"],
        values.map((one) => [
          one.name,
          count(one.bytes),
          ...["inText", "inParts", "outText", "outParts"].map((way) => ms(one[way].median)),
        ]),
      ),
      "An embedding, median µs:",
      table(
        ["dimensions", "Float32Array", "a list of numbers, one by one", "a text of JSON"],
        vectors.map((one) => [
          count(one.dimensions),
          ...["floats", "numbers", "text"].map((way) => ms(one[way].median)),
        ]),
      ),
    ],
    plots: {},
    ratios: {
      crossing_in_text: largest.inParts.median / largest.inText.median,
      crossing_out_text: largest.outParts.median / largest.outText.median,
      crossing_floats: vectors.at(-1).numbers.median / vectors.at(-1).floats.median,
    },
  };
}
