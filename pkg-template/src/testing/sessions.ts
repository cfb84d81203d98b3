import type { Cache } from "../host.js";
import { type Bench, expect, expectSame, type HostCheck } from "./bench.js";

const HOUR_MS = 3_600_000;

/** What the cache must do, and the memory over all of it. */
export const sessions: HostCheck[] = [
  {
    name: "the cache gives what was put last, or nothing",
    applies: ({ cache }) => cache !== undefined,
    run: async (bench) => {
      const cache = bench.host.cache as Cache;
      const key = bench.key("cached");
      expectSame(await cache.get(key), null, "a key that was never put");
      for (const value of ["一", "二", "x".repeat(300_000), ""]) {
        await cache.put(key, value, HOUR_MS);
        const found = await cache.get(key);
        expect(found === value || found === null, "the cache gives an older value");
      }
      await cache.put(key, "long", HOUR_MS);
      await cache.put(key, "short", 30);
      await new Promise((resolve) => setTimeout(resolve, 120));
      const late = await cache.get(key);
      expect(late === null, `the cache gives ${JSON.stringify(late)} after its time`);
      const long = "k".repeat(1_800 - bench.name.length);
      await cache.put(bench.name + long, "1", HOUR_MS);
      const found = await cache.get(bench.name + long);
      expect(found === null || found === "1", "a long key gives another's value");
    },
  },
  {
    name: "a session over it is remembered by another instance",
    run: async (bench) => {
      const first = await openMemory(bench);
      const monday = { tenant: bench.name, user: "ana", session: "monday" };
      const person = { tenant: bench.name, user: "ana" };
      const said = [
        { id: "m1", role: "user", content: "Hi! I live in Hangzhou, and I'm allergic to peanuts." },
        { id: "m2", role: "assistant", content: "Good to know. 好的 🥜" },
      ] as const;
      await first.append(monday, [...said]);
      await first.append(monday, [...said]);
      const ended = await first.endSession(monday);
      expectSame(ended.status, "done", "the end of the session");
      const added = await first.memories(person).add({ content: "Plays the cello on Sundays" });
      const gone = await first.memories(person).add({ content: "Owns a yellow canoe" });
      await first.memories(person).forget(gone.memory.id, { hard: true });
      const questions = ["peanuts", "cello", "yellow canoe", "Hangzhou"];
      const answers = await ask(first, person, questions);
      expect(answers[0]?.[0]?.includes("peanuts"), "the allergy is not recalled");
      expect(answers[1]?.[0]?.includes("cello"), "an added memory is not recalled");
      expect(
        !answers.flat().some((text) => text.includes("canoe")),
        "a forgotten memory is recalled",
      );

      const second = await openMemory(bench);
      expectSame(await ask(second, person, questions), answers, "the answers of another instance");
      const { messages } = await second.messages(monday);
      expectSame(
        messages.map(({ content }) => content),
        said.map(({ content }) => content),
        "the messages, sent twice",
      );
      const turn = await second.load({
        scope: { ...person, session: "tuesday" },
        message: "Which snack can I eat?",
      });
      expect(
        JSON.stringify(turn.messages).includes("peanuts"),
        "the turn does not know the allergy",
      );
      const changed = await second.memories(person).update(added.memory.id, {
        content: "Plays the viola on Sundays",
      });
      const seen = await first.memories(person).get(changed.id);
      expectSame(seen.content, "Plays the viola on Sundays", "a change by another instance");
      const stranger = await second.recall({ tenant: bench.name, user: "bo" }, "peanuts");
      expectSame(stranger.hits, [], "what another user recalls");
      first.close();
      second.close();
    },
  },
];

type Memory = Awaited<ReturnType<typeof openMemory>>;

async function openMemory({ open, options }: Bench) {
  // A host is no matter of tokens: this way the suite needs no vocabulary.
  const config = {
    agent: { longMemory: true, model: "none" },
    tokens: { encoding: "estimate" as const },
  };
  return options.Siltstone.create({ host: await open(), config });
}

/** What is recalled for each question. */
function ask(memory: Memory, person: { tenant: string; user: string }, questions: string[]) {
  return Promise.all(
    questions.map(async (question) => {
      const { hits } = await memory.recall(person, question);
      return hits.map(({ memory: { content } }) => content);
    }),
  );
}
