// Adding and searching memories, against mem0ai/oss with its store in memory.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inProcess } from "../lib/measure.mjs";
import { install } from "../lib/peers.mjs";
import { count, ms, spread, table } from "../lib/report.mjs";

const SIZES = [200, 1_000];
/** Memories that are added to so many. */
const MORE = 50;

export async function mem0({ quick, say }) {
  let folder;
  try {
    folder = install("peers-mem0", { natives: ["better-sqlite3"] });
  } catch (error) {
    // It needs a compiler, or a binary from elsewhere, for its store.
    return { missing: `mem0ai could not be installed: ${error.message.split("\n")[0]}` };
  }
  const home = mkdtempSync(join(tmpdir(), "siltstone-bench-"));
  const server = spawn(process.execPath, [fileURLToPath(new URL("server.mjs", import.meta.url))], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const baseUrl = await new Promise((resolve, reject) => {
      server.stdout.once("data", (text) => resolve(String(text).trim()));
      server.once("error", reject);
      server.once("exit", () => reject(new Error("the embeddings server ended")));
    });
    const rows = (quick ? [200] : SIZES).map((memories) => {
      say(`mem0: ${memories} memories`);
      const input = { folder, baseUrl, memories, searches: quick ? 20 : 50, more: MORE };
      // It keeps a file of its own in the home folder.
      const env = { MEM0_TELEMETRY: "false", HOME: home, MEM0_DIR: home };
      return {
        memories,
        siltstone: inProcess(import.meta.url, "siltstone.mjs", input),
        mem0: inProcess(import.meta.url, "mem0.mjs", input, { env }),
      };
    });
    return { rows };
  } finally {
    server.kill();
    rmSync(home, { recursive: true, force: true });
  }
}

const spreads = ({ added, embedded, compared, searched }) =>
  [added, embedded, compared, searched].map((times) => (times ? spread(times) : "–"));

export function describe({ missing, rows = [] }) {
  const title = "Adding and searching memories: mem0ai/oss";
  if (missing !== undefined) {
    return { title, text: [`Not measured: ${missing}.`], plots: {}, ratios: {} };
  }
  const last = rows.at(-1);
  return {
    title,
    text: [
      "The same facts, one `add` each, and the same questions, embeddings of 384 dimensions from the same server on loopback; its time is not counted, that of asking it is. With `infer: false`, mem0's `add` writes one row with the text and its vector into SQLite in memory and compares it with nothing; Siltstone's masks secrets, compares the text and its vector with all memories of the user for repeats, corrections and contradictions, and commits the memory, its vector and the user's head at once, each against its version. An add that compares is one to as many memories: of Siltstone the same, of mem0 the search among its rows that `infer: true` makes before it asks a language model, and the `add`. mem0 searches by vector and words.",
      table(
        [
          "CPU ms",
          "an add: least / median",
          "of it, asking for the vector",
          "an add that compares",
          "a search",
        ],
        rows.flatMap(({ memories, siltstone, mem0: other }) => [
          [`Siltstone, ${count(memories)}`, ...spreads(siltstone)],
          [`mem0ai/oss, ${count(memories)}`, ...spreads(other)],
        ]),
      ),
      `Answers: ${rows.map((row) => `${count(row.siltstone.hits)} and ${count(row.mem0.hits)}`).join("; ")} (${ms(last.siltstone.searched.runs)} searches each).`,
    ],
    plots: {},
    ratios: {
      mem0_add: last.mem0.added.median / last.siltstone.added.median,
      mem0_add_compared: last.mem0.compared?.median / last.siltstone.compared?.median,
      mem0_search: last.mem0.searched.median / last.siltstone.searched.median,
    },
  };
}
