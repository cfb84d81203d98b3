// Recall over many memories, against the same in plain JavaScript.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inProcess, repeated } from "../lib/measure.mjs";
import { install } from "../lib/peers.mjs";
import { count, ms, spread, table } from "../lib/report.mjs";

const DIMENSIONS = [0, 384, 1_536];
const MEMORIES = 10_000;
const SIZES = [1_000, 2_000, 5_000];

export function recall({ quick, say }) {
  const folder = install("peers");
  const temporary = mkdtempSync(join(tmpdir(), "siltstone-bench-"));
  const file = join(temporary, "store.json");
  const of = (memories, dimensions) => {
    say(`recall: ${memories} memories, ${dimensions} dimensions`);
    const input = { file, folder, memories, dimensions, rounds: quick ? 50 : 300 };
    const repeats = quick ? 1 : 3;
    const filled = inProcess(import.meta.url, "fill.mjs", input);
    return {
      memories,
      dimensions,
      imported: filled.ms,
      siltstone: repeated(repeats, () => inProcess(import.meta.url, "siltstone.mjs", input)),
      peer: repeated(repeats, () => inProcess(import.meta.url, "peer.mjs", input)),
    };
  };
  try {
    const rows = DIMENSIONS.map((dimensions) => of(MEMORIES, dimensions));
    const growth = (quick ? [] : SIZES).map((memories) => of(memories, 0));
    return { rows, growth };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

const kind = (dimensions) =>
  dimensions === 0 ? "lexical" : `hybrid, ${count(dimensions)} dimensions`;

export function describe({ rows, growth }) {
  const times = table(
    [
      "CPU ms",
      "first: from records to an answer",
      "later: with the stored index",
      "next: least / median",
      "memory MB",
    ],
    rows.flatMap(({ dimensions, siltstone, peer }) => [
      [
        `Siltstone, ${kind(dimensions)}`,
        ms(siltstone.first),
        ms(siltstone.stored),
        spread(siltstone.warm),
        siltstone.megabytes.toFixed(1),
      ],
      [
        dimensions === 0
          ? "minisearch"
          : `minisearch and Float32Array, ${count(dimensions)} dimensions`,
        ms(peer.first),
        ms(peer.stored),
        spread(peer.warm),
        peer.megabytes.toFixed(1),
      ],
    ]),
  );
  const lexical = [...growth, rows[0]];
  const points = (side) => lexical.map((row) => [row.memories, row[side].warm.median]);
  const ratio = (at, of) => of(rows[at].peer) / of(rows[at].siltstone);
  const first = (side) => side.first;
  const stored = (side) => side.stored;
  const warm = (side) => side.warm.median;
  return {
    title: `Recall: ${count(rows[0].memories)} memories of 17 words`,
    text: [
      "The first recall of all reads every record from a store in memory, builds the index and stores it; that of a later instance, in the same process, reads the stored one. It reads whole memories of some 25 fields, and each vector by its own key; beside words it takes in places in dialogues, dates and times. The plain one parses the same texts, with an id alone, from JSON, later its own index, and has its vectors at hand, as one Float32Array, and stores nothing. Siltstone's memory is the whole WebAssembly memory; the other's is what its heap grew by, and its vectors.",
      times,
    ],
    plots: {
      ...(lexical.length > 1 && {
        recall: {
          kind: "lines",
          title: "A lexical recall as memories grow",
          x: "memories",
          y: "CPU ms a recall (median)",
          series: [
            { name: "Siltstone", points: points("siltstone") },
            { name: "minisearch", points: points("peer") },
          ],
        },
      }),
    },
    ratios: {
      recall_lexical: ratio(0, warm),
      recall_lexical_first: ratio(0, first),
      recall_lexical_stored: ratio(0, stored),
      recall_hybrid_384: ratio(1, warm),
      recall_hybrid_384_first: ratio(1, first),
      recall_hybrid_384_stored: ratio(1, stored),
      recall_hybrid_1536: ratio(2, warm),
      recall_hybrid_1536_first: ratio(2, first),
      recall_hybrid_1536_stored: ratio(2, stored),
      recall_memory_mb: rows[0].siltstone.megabytes,
      recall_memory_384_mb: rows[1].siltstone.megabytes,
    },
  };
}
