// `load()` of a session and memories, against LangChain.js `trimMessages` on the same messages.

import { inProcess, repeated } from "../lib/measure.mjs";
import { install } from "../lib/peers.mjs";
import { count, ms, spread, table } from "../lib/report.mjs";
import { MEMORIES } from "./talk.mjs";

const MESSAGES = 200;
/** Everything fits. */
const AMPLE = 200_000;
/** About three quarters of the session fit. */
const TIGHT = 9_000;

const sides = (folder) => ({
  siltstone: ["siltstone.mjs", {}],
  langchain: ["langchain.mjs", { folder }],
  langchain_kept: ["langchain.mjs", { folder, keepsCounts: true }],
});
const NAMES = {
  siltstone: "Siltstone `load`",
  langchain: "LangChain `trimMessages`, js-tiktoken",
  langchain_kept: "… with its counts kept by text",
};

export function window({ quick, say }) {
  const folder = install("peers");
  const run = (side, input, repeats) => {
    const [script, own] = sides(folder)[side];
    return repeated(repeats, () => inProcess(import.meta.url, script, { ...own, ...input }));
  };
  const all = Object.keys(NAMES);
  const of = (input, repeats) =>
    Object.fromEntries(all.map((side) => [side, run(side, input, repeats)]));
  say(`window: ${MESSAGES} messages, all of them fit`);
  const ample = of({ messages: MESSAGES, turns: quick ? 5 : 30, maxTokens: AMPLE }, quick ? 1 : 3);
  say(`window: ${MESSAGES} messages, three quarters fit`);
  const tight = of({ messages: MESSAGES, turns: quick ? 1 : 3, maxTokens: TIGHT }, quick ? 1 : 3);
  const sizes = quick ? [50, 200] : [50, 100, 200, 400, 800, 1_600];
  const growth = sizes.map((messages) => {
    say(`window: a session of ${messages} messages that grows`);
    return { messages, ...of({ messages, turns: quick ? 3 : 12, maxTokens: AMPLE }, 1) };
  });
  return { ample, tight, growth };
}

/** µs that one more message of history adds to a turn, by least squares. */
function slope(points) {
  const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;
  const [x, y] = [mean(points.map(([size]) => size)), mean(points.map(([, cost]) => cost))];
  const up = points.reduce((sum, [size, cost]) => sum + (size - x) * (cost - y), 0);
  return (1_000 * up) / points.reduce((sum, [size]) => sum + (size - x) ** 2, 0);
}

const points = (growth, side) => growth.map((one) => [one.messages, one[side].turn.median]);

export function describe({ ample, tight, growth }) {
  const sides = Object.keys(NAMES);
  const times = table(
    [
      "CPU ms",
      "first turn, all fits",
      "next turns: least / median",
      "first turn, 3/4 fit",
      "next turns: least / median",
    ],
    sides.map((side) => [
      NAMES[side],
      ms(ample[side].first),
      spread(ample[side].turn),
      ms(tight[side].first),
      spread(tight[side].turn),
    ]),
  );
  const growing = table(
    [
      "messages before, CPU ms a turn",
      ...growth.map(({ messages }) => count(messages)),
      "µs a message",
    ],
    [
      ...sides.map((side) => [
        NAMES[side],
        ...growth.map((one) => ms(one[side].turn.median)),
        ms(slope(points(growth, side))),
      ]),
      [
        "Siltstone `append` of two messages",
        ...growth.map((one) => ms(one.siltstone.append.median)),
        ms(slope(growth.map((one) => [one.messages, one.siltstone.append.median]))),
      ],
    ],
  );
  return {
    title: "Window: what goes to the model in a turn",
    text: [
      `A session of ${MESSAGES} messages of 40 words, two more in each turn. Siltstone reads it from a store in memory, recalls from ${MEMORIES} memories and counts everything exactly; LangChain has its messages at hand and no memories. Tokenizers are loaded before.`,
      times,
      "A session that grows, everything fits:",
      growing,
    ],
    plots: {
      window: {
        kind: "lines",
        title: "A turn's cost as the session grows",
        x: "messages in the session",
        y: "CPU ms a turn (median)",
        series: sides.map((side) => ({
          name: NAMES[side].replaceAll("`", ""),
          points: points(growth, side),
        })),
      },
    },
    ratios: {
      window_first: ample.langchain.first / ample.siltstone.first,
      window_turn: ample.langchain.turn.median / ample.siltstone.turn.median,
      window_turn_trimmed: tight.langchain.turn.median / tight.siltstone.turn.median,
      window_turn_counts_kept: ample.langchain_kept.turn.median / ample.siltstone.turn.median,
    },
  };
}
