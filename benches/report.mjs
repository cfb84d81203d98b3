// Writes tables, plots and README's figures from the results of the last run:
//   node benches/report.mjs [folder]

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../scripts/lib/run.mjs";
import * as crossings from "./crossings/crossings.mjs";
import { draw } from "./lib/plot.mjs";
import * as mem0 from "./mem0/compare.mjs";
import * as core from "./native/native.mjs";
import { overview } from "./overview.mjs";
import * as recall from "./recall/recall.mjs";
import * as session from "./session/session.mjs";
import * as tokens from "./tokens/describe.mjs";
import * as window from "./window/window.mjs";

const PARTS = { tokens, window, recall, session, mem0, crossings, core };
const README = join(root, "README.md");
/** The figures that the repository shows. */
const RESULTS = join(root, "benches/results");
const MARKS = ["<!-- speed: written by make bench -->", "<!-- speed: end -->"];

/** Writes everything that follows from a folder's `results.json`, prints it, the ratios last. */
export function write(folder) {
  const { peers, parts } = JSON.parse(readFileSync(join(folder, "results.json"), "utf8"));
  const ratios = {};
  const sections = [];
  for (const [name, { describe }] of Object.entries(PARTS)) {
    if (parts[name] === undefined) {
      continue;
    }
    const { date, node, quick, figures } = parts[name];
    const described = describe(figures);
    Object.assign(ratios, described.ratios);
    const pictures = Object.entries(described.plots).map(([file, plot]) => {
      writeFileSync(join(folder, `${file}.svg`), draw(plot));
      return `![${plot.title}](${file}.svg)`;
    });
    const facts = `${date}, Node.js ${node}${quick ? ", a quick run: not for comparison" : ""}`;
    sections.push(
      `## ${described.title}\n\n${facts}\n`,
      ...[...described.text, ...pictures].map((text) => `${text}\n`),
    );
  }
  const shown = overview(ratios);
  writeFileSync(join(folder, "speed.svg"), draw(shown.plot));
  const list = Object.entries(peers).map(([name, version]) => `${name} ${version}`);
  const text = [
    "# What was measured\n",
    "Written by `make bench`. Times are CPU times of whole processes, each side in processes of its own, on the same inputs in the same run; compare within a table only.\n",
    `Compared with: ${list.join(", ")}.\n`,
    "![Speed](speed.svg)\n",
    ...sections,
  ].join("\n");
  writeFileSync(join(folder, "results.md"), text);
  if (folder === RESULTS) {
    const isQuick = Object.values(parts).some(({ quick }) => quick);
    intoReadme(isQuick ? `${shown.table}\n\nThese are figures of a quick run.` : shown.table);
  }
  console.log(text);
  console.log(
    Object.entries(ratios)
      .filter(([, ratio]) => Number.isFinite(ratio))
      .map(([name, ratio]) => `${name}=${number(ratio)}`)
      .join(" "),
  );
}

const number = (value) => Number(value.toPrecision(3));

function intoReadme(text) {
  const readme = readFileSync(README, "utf8");
  const [start, end] = MARKS.map((mark) => readme.indexOf(mark));
  if (start < 0 || end < start) {
    throw new Error(`README.md has no lines ${MARKS.join(" and ")}`);
  }
  const changed = `${readme.slice(0, start) + MARKS[0]}\n\n${text}\n\n${readme.slice(end)}`;
  writeFileSync(README, changed);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  write(process.argv[2] ?? RESULTS);
}
