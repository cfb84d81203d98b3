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
      const input = { folder, baseUrl, memories, searches: quick ? 20 : 50 };
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

export function describe({ missing, rows = [] }) {
  const title = "Adding and searching memories: mem0ai/oss";
  if (missing !== undefined) {
    return { title, text: [`Not measured: ${missing}.`], plots: {}, ratios: {} };
  }
  const last = rows.at(-1);
  return {
    title,
    text: [
      "The same facts, one `add` each, and the same questions, embeddings of 384 dimensions from the same server on loopback; its time is not counted, that of asking it is. mem0 stores what it is given (`infer: false`, no history) in SQLite in memory and searches by vector and words; Siltstone also looks for repeats and contradictions among all memories at every `add`.",
      table(
        ["CPU ms", "an add: least / median", "a search: least / median"],
        rows.flatMap(({ memories, siltstone, mem0: other }) => [
          [`Siltstone, ${count(memories)}`, spread(siltstone.added), spread(siltstone.searched)],
          [`mem0ai/oss, ${count(memories)}`, spread(other.added), spread(other.searched)],
        ]),
      ),
      `Answers: ${rows.map((row) => `${count(row.siltstone.hits)} and ${count(row.mem0.hits)}`).join("; ")} (${ms(last.siltstone.searched.runs)} searches each).`,
    ],
    plots: {},
    ratios: {
      mem0_add: last.mem0.added.median / last.siltstone.added.median,
      mem0_search: last.mem0.searched.median / last.siltstone.searched.median,
    },
  };
}
