// Tables and plots of what `rows` measured.

import { count, ms, table } from "../lib/report.mjs";
import { ratios } from "./tokens.mjs";

const HOSTILE = { spaces: "50,000 spaces", a: "50,000 × a" };

export function describe(measured) {
  const corpora = Object.keys(measured[0].speed);
  const rate = (value) => value.toFixed(1);
  const first = table(
    [
      "o200k_base",
      "start, CPU ms: least / median",
      "without a vocabulary",
      ...Object.values(HOSTILE),
      "wrong counts",
    ],
    measured.map(({ name, cold, estimate, hostile, mismatches, strings }) => [
      name,
      `${ms(cold.leastCpuMs)} / ${ms(cold.cpuMs)}`,
      estimate === undefined ? "" : `${ms(estimate.leastCpuMs)} / ${ms(estimate.cpuMs)}`,
      ...Object.keys(HOSTILE).map((kind) => ms(hostile[kind])),
      `${count(mismatches)} of ${count(strings)}`,
    ]),
  );
  const second = table(
    ["MB/s: first / median / best", ...corpora],
    measured.map(({ name, speed }) => [
      name,
      ...corpora.map((corpus) => {
        const own = speed[corpus];
        return [own.first, own.median, own.best].map(rate).join(" / ");
      }),
    ]),
  );
  const own = measured[0];
  return {
    title: "Tokens: counting exactly",
    text: [
      "Start: a new process from the import to the first count, vocabulary included; `siltstone/tokens` only counts, `siltstone` is the whole, and gives a promise for each count; without a vocabulary, both estimate, which no other package does; `countBatch` counts all messages of a slice at once. Wrong counts: short texts from every block of Unicode, against `tiktoken`. Hostile texts in CPU ms; whoever takes too long is stopped.",
      first,
      "Every text is counted once, so that no cache knows it; `first` is the first slice of a corpus.",
      second,
    ],
    plots: {
      "tokens-start": bars("From the import to the first count", "CPU ms (median)", [
        {
          bars: measured.map(({ name, cold }) => ({
            name,
            value: cold.cpuMs,
            note: ms(cold.cpuMs),
          })),
        },
      ]),
      "tokens-speed": bars(
        "Counting texts that were not seen before",
        "MB/s (median)",
        corpora.map((corpus) => ({
          name: corpus,
          bars: measured.map(({ name, speed }) => ({ name, value: speed[corpus].median })),
        })),
      ),
      "tokens-hostile": bars(
        "Texts that are meant to be slow",
        "CPU ms",
        Object.entries(HOSTILE).map(([kind, title]) => ({
          name: title,
          bars: measured.map(({ name, hostile }) => ({
            name,
            value: hostile[kind],
            note: ms(hostile[kind]),
          })),
        })),
      ),
    },
    ratios: {
      ...Object.fromEntries(
        Object.entries(ratios(measured)).map(([name, ratio]) => [`tokens_${name}`, ratio]),
      ),
      tokens_mismatches: own.mismatches,
    },
  };
}

const bars = (title, x, groups) => ({ kind: "bars", title, x, groups });
