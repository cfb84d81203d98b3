import type { Store } from "../host.js";
import { type Bench, expect, expectSame, type HostCheck } from "./bench.js";

const WRITERS = 12;
const EACH = 4;
/** Times a writer tries; each time one that fails is one that another came before. */
const TRIES = 1_000;

/** What `commit` must do. */
export const commits: HostCheck[] = [
  {
    name: "a commit whose checks hold writes everything",
    run: async (bench) => {
      await bench.put({ kept: "1", changed: "1", gone: "1" });
      const done = await bench.commit({
        checks: [
          { key: "kept", version: await bench.version("kept") },
          { key: "changed", version: await bench.version("changed") },
          { key: "new", version: null },
          { key: "never", version: null },
        ],
        puts: [
          { key: "changed", value: "2" },
          { key: "new", value: "2" },
        ],
        deletes: ["gone", "was-never-there"],
      });
      expect(done === true, "commit must answer true");
      const keys = ["kept", "changed", "new", "never", "gone"];
      expectSame(await bench.values(...keys), ["1", "2", "2", null, null], "values");
      expectSame(await bench.names(), ["changed", "kept", "new"], "keys");
      expect((await bench.commit({})) === true, "an empty commit must answer true");
    },
  },
  {
    name: "a commit of which one check does not hold writes nothing",
    run: async (bench) => {
      await bench.put({ a: "1", b: "1" });
      const stale = await bench.version("a");
      await bench.put({ a: "2" });
      const b = await bench.version("b");
      const wrong = [
        { key: "a", version: stale },
        { key: "a", version: null },
        { key: "none", version: stale },
      ];
      for (const check of wrong) {
        const done = await bench.commit({
          checks: [{ key: "b", version: b }, { key: "absent", version: null }, check],
          puts: [
            { key: "a", value: "3" },
            { key: "absent", value: "3" },
            { key: "other", value: "3" },
          ],
          deletes: ["b"],
        });
        expect(done === false, `commit must answer false when ${JSON.stringify(check)} is wrong`);
        const values = await bench.values("a", "b", "absent", "other");
        expectSame(values, ["2", "1", null, null], "values after a commit that failed");
        expect((await bench.version("b")) === b, "a version changed with a commit that failed");
      }
    },
  },
  {
    name: "every write gives a version that was never there, after a delete too",
    run: async (bench) => {
      const seen = new Set<string | null>();
      for (let round = 0; round < 5; round += 1) {
        await bench.put({ a: "same" });
        seen.add(await bench.version("a"));
        await bench.put({ a: "same" });
        seen.add(await bench.version("a"));
        await bench.commit({ deletes: ["a"] });
        expectSame(await bench.values("a"), [null], "a value that was deleted");
      }
      expect(seen.size === 10, `10 writes gave ${seen.size} versions`);
      const [first] = seen;
      await bench.put({ a: "same" });
      const checks = [{ key: "a", version: first ?? null }];
      expect(!(await bench.commit({ checks })), "a version from before a delete still holds");
    },
  },
  {
    name: "what is read of another key does not change a version",
    run: async (bench) => {
      await bench.put({ a: "1" });
      const version = await bench.version("a");
      await bench.put({ b: "1" });
      await bench.names();
      expect((await bench.version("a")) === version, "the version changed without a write");
    },
  },
  {
    name: "of many writers at once with the same check one wins",
    run: async (bench) => {
      await bench.put({ race: "start" });
      const expected: [string, string | null][] = [
        ["race", await bench.version("race")],
        ["first", null],
      ];
      for (const [key, version] of expected) {
        const done = await Promise.all(
          Array.from({ length: WRITERS }, (_, at) =>
            bench.commit({
              checks: [{ key, version }],
              puts: [
                { key, value: String(at) },
                { key: `${key}-${at}`, value: "won" },
              ],
            }),
          ),
        );
        const winners = done.flatMap((won, at) => (won ? [at] : []));
        expect(winners.length === 1, `${winners.length} of ${WRITERS} writers won`);
        expectSame(await bench.values(key), [String(winners[0])], "the winner's value");
        const won = await bench.names({ start: `${key}-`, end: `${key}.` });
        expectSame(won, [`${key}-${winners[0]}`], "what the writers left");
      }
    },
  },
  {
    name: "increments of many writers over two instances lose nothing",
    run: async (bench) => {
      const stores = [bench.store, (await bench.open()).store];
      const writers = Array.from({ length: WRITERS }, (_, at) => stores[at % 2] as Store);
      await Promise.all(writers.map((store, at) => increments(bench, store, String(at))));
      const keys = writers.map((_, at) => String(at));
      const wanted = [...keys.map(() => String(EACH)), String(WRITERS * EACH)];
      expectSame(await bench.values(...keys, "sum"), wanted, "counters");
    },
  },
  {
    name: "writers of the same keys in different orders neither block nor mix",
    run: async (bench) => {
      const keys = ["a", "b", "c", "d"];
      await Promise.all(
        Array.from({ length: WRITERS }, (_, at) => {
          const order = at % 2 === 0 ? keys : [...keys].reverse();
          const deletes = at % 3 === 0 ? ["e", "f"] : ["f", "e"];
          return bench.commit({ puts: order.map((key) => ({ key, value: String(at) })), deletes });
        }),
      );
      const values = await bench.values(...keys);
      expect(new Set(values).size === 1, `one commit's values are mixed with another's: ${values}`);
    },
  },
];

/** Adds to a counter of the writer's own and to one of all writers, in one commit. */
async function increments(bench: Bench, store: Store, own: string): Promise<void> {
  const keys = [own, "sum"];
  let tries = 0;
  for (let done = 0; done < EACH; ) {
    tries += 1;
    expect(tries < TRIES, `an increment was refused ${TRIES} times`);
    const found = await store.get(keys.map((key) => bench.key(key)));
    const committed = await bench.commit(
      {
        checks: keys.map((key, at) => ({ key, version: found[at]?.version ?? null })),
        puts: keys.map((key, at) => ({ key, value: String(Number(found[at]?.value ?? 0) + 1) })),
      },
      store,
    );
    done += committed ? 1 : 0;
  }
}
