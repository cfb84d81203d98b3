// Measures everything and compares it with other packages: make bench, or node benches/bench.mjs.
//   QUICK=1            fewer rounds; the figures go to .bench/results/ and not into the repository
//   PARTS=window,recall  only these; the others keep the figures of the last run

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../scripts/lib/run.mjs";
import { crossings } from "./crossings/crossings.mjs";
import { versions } from "./lib/peers.mjs";
import { mem0 } from "./mem0/compare.mjs";
import { core } from "./native/native.mjs";
import { recall } from "./recall/recall.mjs";
import { write } from "./report.mjs";
import { session } from "./session/session.mjs";
import { rows } from "./tokens/tokens.mjs";
import { window } from "./window/window.mjs";

const PARTS = { tokens: rows, window, recall, session, mem0, crossings, core };

const quick = (process.env.QUICK ?? "") !== "";
const wanted = (process.env.PARTS || Object.keys(PARTS).join(",")).split(",");
const unknown = wanted.filter((name) => PARTS[name] === undefined);
if (unknown.length > 0) {
  console.error(`unknown parts: ${unknown.join(", ")}; there are ${Object.keys(PARTS).join(", ")}`);
  process.exit(2);
}

const folder = join(root, quick ? ".bench/results" : "benches/results");
const file = join(folder, "results.json");
const before = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
const parts = { ...before.parts };
for (const name of wanted) {
  const started = performance.now();
  parts[name] = {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    quick,
    figures: await PARTS[name]({ quick, say: (text) => console.log(`→ ${text}`) }),
  };
  console.log(`→ ${name}: ${((performance.now() - started) / 1_000).toFixed(0)} s`);
}
const peers = { ...versions("peers"), ...versions("peers-mem0") };
mkdirSync(folder, { recursive: true });
writeFileSync(file, `${JSON.stringify({ peers, parts }, null, 1)}\n`);
write(folder);
