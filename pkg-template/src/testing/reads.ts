import { expect, expectSame, type HostCheck } from "./bench.js";

const FIRST = 0x20;
const LAST = 0x7e;
const printable = Array.from({ length: LAST - FIRST + 1 }, (_, at) =>
  String.fromCharCode(FIRST + at),
);
const LONGEST_KEY = 1_800;

/** What `get` and `range` must answer. */
export const reads: HostCheck[] = [
  {
    name: "get answers one entry for each key, in order, null for what is not there",
    run: async (bench) => {
      expectSame(await bench.store.get([]), [], "get of no keys");
      await bench.put({ a: "1", b: "2" });
      expectSame(await bench.values("b", "none", "a", "b"), ["2", null, "1", "2"], "values");
      const [entry] = await bench.store.get([bench.key("a")]);
      expect(typeof entry?.version === "string" && entry.version !== "", "a version is missing");
    },
  },
  {
    name: "keys compare by bytes, case and spaces included",
    run: async (bench) => {
      const names = [
        ...printable.flatMap((char) => [char, `k${char}`, `k${char}k`]),
        "k",
        "K",
        "kK",
        "k  ",
        "%",
        "_%",
        "''",
        "\\\\",
      ];
      const sorted = [...new Set(names)].sort();
      await bench.put(Object.fromEntries(sorted.map((name) => [name, JSON.stringify(name)])));
      expectSame(await bench.names(), sorted, "all keys");
      expectSame(
        await bench.values(...sorted),
        sorted.map((name) => JSON.stringify(name)),
        "the values of these keys",
      );
      const below = sorted.filter((name) => name >= "k" && name < "l");
      expectSame(await bench.names({ start: "k", end: "l" }), below, "keys from k to l");
      expectSame(await bench.names({ start: "k ", end: "k!" }), ["k ", "k  ", "k k"], "after k");
    },
  },
  {
    name: "a range keeps to its bounds, direction and limit",
    run: async (bench) => {
      await bench.put({ a: "1", b: "2", "b!": "3", c: "4", d: "5" });
      expectSame(await bench.names({ start: "b", end: "d" }), ["b", "b!", "c"], "b to d");
      expectSame(await bench.names({ limit: 2 }), ["a", "b"], "the first two");
      expectSame(await bench.names({ limit: 2, reverse: true }), ["d", "c"], "the last two");
      const backwards = await bench.names({ start: "b", end: "d", reverse: true });
      expectSame(backwards, ["c", "b!", "b"], "d to b");
      expectSame(
        await bench.names({ start: "d", end: "a" }),
        [],
        "a range that ends before it starts",
      );
      expectSame(await bench.names({ start: "e", end: "f" }), [], "a range of nothing");
    },
  },
  {
    name: `keys of ${LONGEST_KEY} bytes are kept apart by their last byte`,
    run: async (bench) => {
      const stem = "x".repeat(LONGEST_KEY - bench.key("").length - 1);
      await bench.put({ [`${stem}a`]: "1", [`${stem}b`]: "2" });
      expectSame(await bench.values(`${stem}b`, `${stem}a`), ["2", "1"], "values");
      expectSame(await bench.names({ start: `${stem}b` }), [`${stem}b`], "a range of them");
    },
  },
  {
    name: "many keys are written at once and read page by page",
    run: async (bench) => {
      const names = Array.from({ length: 400 }, (_, at) => String(at).padStart(4, "0"));
      await bench.put(Object.fromEntries(names.map((name) => [name, `"${name}"`])));
      const read: string[] = [];
      for (let start = ""; read.length < names.length; start = `${read.at(-1)} `) {
        const page = await bench.names({ start, limit: 150 });
        expect(page.length > 0, `pages end after ${read.length} of ${names.length} keys`);
        read.push(...page);
      }
      expectSame(read, names, "keys");
      expectSame(
        await bench.values(...names),
        names.map((name) => `"${name}"`),
        "values",
      );
    },
  },
  {
    name: "values come back as they were, of any text and up to 1.9 MB",
    run: async (bench) => {
      // Values are JSON documents: a control character comes escaped.
      const texts = {
        empty: "",
        quotes: "'\"\\`$1 ?1 :a %s -- ;".repeat(2_000),
        unicode: "你好 👩‍👩‍👧‍👦 é é \u2028 \u0000 \ufeff \uffff 🇨🇳 \u0001\u007f",
        chinese: "记".repeat(200_000),
        long: "x".repeat(1_900_000),
        nulls: "\u0000".repeat(20_000),
      };
      for (const [name, text] of Object.entries(texts)) {
        const value = JSON.stringify({ v: 1, d: text });
        await bench.put({ [name]: value });
        const [found] = await bench.values(name);
        expect(found === value, `the value \`${name}\` came back changed`);
      }
      const [entry] = await bench.store.range({
        start: bench.key("long"),
        end: bench.key("longer"),
        limit: 1,
        reverse: false,
      });
      expect(entry?.value === JSON.stringify({ v: 1, d: texts.long }), "a long value in a range");
    },
  },
  {
    name: "several long values are written at once",
    run: async (bench) => {
      const values = Object.fromEntries(
        ["a", "b", "c", "d"].map((name) => [name, JSON.stringify(name.repeat(700_000))]),
      );
      await bench.put(values);
      const found = await bench.values(...Object.keys(values));
      expect(
        found.every((value, at) => value === Object.values(values)[at]),
        "values changed",
      );
      await bench.put({ a: "1" });
      expectSame(await bench.values("a"), ["1"], "a long value that was replaced by a short one");
    },
  },
];
