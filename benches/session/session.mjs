// What happens after a turn: the end of a session, and `maintain`. No peer does the same.

import { inProcess, repeated } from "../lib/measure.mjs";
import { count, ms, spread, table } from "../lib/report.mjs";

const CANDIDATES = 1_000;
const USERS = 50;
const MEMORIES = 2_000;

export function session({ quick, say }) {
  const repeats = quick ? 1 : 3;
  const end = (candidates, known) => {
    say(`session end: ${candidates} candidates, ${known} memories before`);
    const input = { candidates, known };
    return {
      ...input,
      ...repeated(repeats, () => inProcess(import.meta.url, "end.mjs", input)),
    };
  };
  const sizes = quick ? [250] : [125, 250, 500];
  const ends = [
    ...sizes.map((size) => end(size, 0)),
    end(CANDIDATES, 0),
    end(CANDIDATES, CANDIDATES),
  ];
  const maintain = (age) => {
    const input = { users: quick ? 5 : USERS, memories: MEMORIES, ...age };
    say(`maintain: ${input.users} users with ${MEMORIES} memories, ${age.ageDays} days old`);
    return { ...input, ...inProcess(import.meta.url, "maintain.mjs", input) };
  };
  const fresh = { ageDays: 1, importance: 5 };
  const faded = { ageDays: 200, importance: 3 };
  return { ends, maintained: [maintain(fresh), maintain(faded)] };
}

export function describe({ ends, maintained }) {
  const alone = ends.filter(({ known }) => known === 0);
  return {
    title: "After a turn: the end of a session, and `maintain`",
    text: [
      "The end of a session whose judge proposes memories, a tenth of them repeats; a store in memory, no embeddings. Every proposal is compared with those before it and with what is known.",
      table(
        ["proposals", "known before", "CPU ms", "stored", "merged"],
        ends.map((one) => [
          count(one.candidates),
          count(one.known),
          ms(one.ms),
          count(one.stored),
          count(one.merged),
        ]),
      ),
      "One round of `maintain`, slice by slice, by a new instance:",
      table(
        [
          "memories",
          "users",
          "CPU ms",
          "a slice: least / median",
          "longest",
          "changed",
          "wasm memory grew by MB",
        ],
        maintained.map((one) => [
          `${count(one.users * one.memories)}, ${one.ageDays === 1 ? "nothing due" : "all due"}`,
          count(one.users),
          ms(one.ms),
          spread(one.slice),
          ms(one.most),
          count(one.done.promoted + one.done.forgotten + one.done.evicted),
          one.grown.toFixed(1),
        ]),
      ),
    ],
    plots: {
      ...(alone.length > 2 && {
        "session-end": {
          kind: "lines",
          title: "The end of a session as its judge proposes more",
          x: "proposals",
          y: "CPU ms",
          series: [{ name: "Siltstone", points: alone.map((one) => [one.candidates, one.ms]) }],
        },
      }),
    },
    ratios: {
      session_end_1000_ms: alone.at(-1).ms,
      maintain_1000_memories_ms:
        (1_000 * maintained[0].ms) / (maintained[0].users * maintained[0].memories),
    },
  };
}
