// What is shown first: how many times faster than what it is compared with.

import { table } from "./lib/report.mjs";

const NPM = "the fastest npm package";
/** Ratio, what was measured, compared with what. */
const SHOWN = [
  ["tokens_start_cpu", "start to the first exact count", NPM],
  ["tokens_start_whole_cpu", "… with the whole core", NPM],
  ["tokens_english_warm", "count English", NPM],
  ["tokens_chinese_warm", "count Chinese", NPM],
  ["tokens_code_warm", "count code", NPM],
  ["tokens_json_warm", "count JSON", NPM],
  ["tokens_messages_warm", "count short messages", NPM],
  ["tokens_messages_batch_warm", "… all of a list at once", NPM],
  ["tokens_hostile_spaces", "count 50,000 spaces", NPM],
  ["window_first", "first turn, 200 messages", "LangChain `trimMessages`"],
  ["window_turn", "next turns, everything fits", "LangChain `trimMessages`"],
  ["window_turn_trimmed", "next turns, not everything fits", "LangChain `trimMessages`"],
  ["window_turn_counts_kept", "next turns, everything fits", "the same that keeps its counts"],
  ["recall_lexical", "recall by words, 10,000 memories", "minisearch"],
  ["recall_hybrid_384", "… and 384 dimensions", "minisearch and Float32Array"],
  ["recall_hybrid_1536", "… and 1,536 dimensions", "minisearch and Float32Array"],
  ["recall_lexical_first", "first recall of all, which makes the index", "minisearch"],
  ["recall_lexical_stored", "first recall of a later instance", "minisearch, its index stored"],
  ["mem0_search", "search memories by words and vectors", "mem0ai/oss"],
  [
    "mem0_add_compared",
    "add a memory, compared with 1,000",
    "mem0ai/oss, its search and its `add`",
  ],
  ["mem0_add", "… whose own is compared with none", "mem0ai/oss, `infer: false`"],
];

const times = (value) =>
  `${value >= 10 ? Math.round(value).toLocaleString("en") : value.toPrecision(2)} ×`;

/** Table and plot of these ratios, those that were measured. */
export function overview(ratios) {
  const shown = SHOWN.filter(([key]) => Number.isFinite(ratios[key]));
  return {
    table: table(
      ["", "compared with", "faster"],
      shown.map(([key, what, peer]) => [what, peer, times(ratios[key])]),
    ),
    plot: {
      kind: "bars",
      title: "How many times faster",
      x: "times faster",
      base: 1,
      left: 420,
      groups: [
        {
          bars: shown.map(([key, what, peer]) => ({
            name: `${what}: ${peer.replaceAll("`", "")}`,
            value: ratios[key],
            note: times(ratios[key]),
            colour: ratios[key] >= 1 ? 0 : 1,
          })),
        },
      ],
    },
  };
}
