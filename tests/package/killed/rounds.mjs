// Kills an application at random moments of session ends, starts it again, and checks that it comes to
// the end that it would have come to.

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "../support.mjs";
import { startNeighbours } from "./neighbours.mjs";
import { LOCAL, SERVICE, vectorOf } from "./options.mjs";

const SETTLE_MS = 30_000;
/** The longest wait between a request to the outside and the kill, to meet the host's calls. */
const JITTER_MS = 40;

const CITIES = ["Hangzhou", "Lisbon", "Nairobi", "Oslo", "Quito", "Tallinn", "Utrecht", "Vienna"];
const THINGS = ["a violin", "two kayaks", "some tulips", "the telescope", "old maps", "new skis"];
const FRIENDS = ["Bao", "Chidi", "Dagny", "Emeka", "Fatima", "Goran", "Hedda", "Ivo"];
const WHEN = ["at dawn", "on Sundays", "in winter", "before lunch", "every May", "by the river"];

/**
 * @param startApp - Starts the application with these bindings; gives its `url` and `kill`.
 */
export async function killedRounds(t, startApp, { rounds }) {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));
  t.diagnostic(`SEED=${seed}`);
  const random = generator(seed);
  let pass = async () => {};
  const neighbours = await startNeighbours((stage) => pass(stage));
  t.after(() => neighbours.close());
  let app = await startApp(neighbours.bindings);
  const ask = async (path, body = {}) => {
    const answered = await request(app.url + path, { method: "POST", body: JSON.stringify(body) });
    const text = await answered.text();
    assert.equal(answered.status, 200, text);
    return JSON.parse(text);
  };
  const said = [];
  let requests = 0;
  let kills = 0;
  for (let round = 0; round < rounds; round += 1) {
    // The first round is left alone and counts; it alone makes what is missing outside.
    const last = requests * 0.7;
    const at = round === 0 ? Number.POSITIVE_INFINITY : 1 + Math.floor(random() * last);
    const jitterMs = random() < 0.5 ? 0 : random() * JITTER_MS;
    let passed = 0;
    let isHit = false;
    const dead = new Promise((resolve) => {
      pass = async () => {
        passed += 1;
        if (passed !== at) return;
        isHit = true;
        if (jitterMs > 0) sleep(jitterMs).then(() => resolve(app.kill()));
        else await app.kill().then(resolve);
      };
    });
    const talks = talksOf(round);
    said.push(...talks);
    const unheard = [];
    // What is asked of a dead application fails.
    const unlessHit = (error) => {
      if (!isHit) throw error;
    };
    const say = async (one) => {
      await ask("/say", one).catch((error) => {
        unlessHit(error);
        unheard.push(one);
      });
    };
    await Promise.all(talks.map(say));
    await Promise.race([dead, settles(ask, neighbours, said).catch(unlessHit)]);
    pass = async () => {};
    if (round === 0) requests = passed;
    if (isHit) {
      await dead;
      kills += 1;
      app = await startApp(neighbours.bindings);
      // Whoever gets no answer says it again.
      for (const one of unheard) await ask("/say", one);
      await settles(ask, neighbours, said);
    }
    t.diagnostic(
      `round ${round}: ${isHit ? `killed at ${at} of ${requests}` : `${passed} requests`}`,
    );
    for (const { scope, messages } of talks) {
      assert.equal(await endAgain(ask, scope), "nothing_new");
      const stored = await ask("/messages", { scope });
      assert.deepEqual(
        stored.messages.map(({ id }) => id),
        messages.map(({ id }) => id),
      );
    }
  }
  assert.ok(kills >= (rounds - 1) / 2, `only ${kills} of ${rounds} rounds were killed`);
  // Nothing that was under way has doubled anything since.
  assert.deepEqual(await found(ask, neighbours, said), expected(said));
}

/** What another end of a session does, once nobody is at it any more. */
async function endAgain(ask, scope) {
  for (const end = Date.now() + SETTLE_MS; ; ) {
    const { status } = await ask("/end", { scope });
    if (status !== "busy" || Date.now() > end) return status;
    await sleep(100);
  }
}

/** Waits until everything is as it must be in the end, or says what is not. */
async function settles(ask, neighbours, said) {
  const wanted = expected(said);
  for (const end = Date.now() + SETTLE_MS; ; ) {
    const got = await found(ask, neighbours, said);
    if (JSON.stringify(got) === JSON.stringify(wanted)) return;
    if (Date.now() > end) assert.deepEqual(got, wanted);
    await sleep(100);
  }
}

function expected(said) {
  const live = (who) => {
    const texts = said.filter(({ scope }) => scope.user === who.user).flatMap(({ notes }) => notes);
    const isCity = (text) => text.startsWith("User lives in");
    const city = texts.findLast(isCity);
    return texts.filter((text) => !isCity(text) || text === city).sort();
  };
  const local = live(LOCAL);
  const service = live(SERVICE);
  return { local, lost: [], points: local, service, waiting: [], dead: [] };
}

async function found(ask, neighbours, said) {
  const { memories, waiting, dead } = await ask("/state");
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  const ended = memories.filter(({ isValid }) => !isValid);
  return {
    local: contents(memories.filter(({ isValid }) => isValid)),
    // What was replaced by nothing.
    lost: contents(ended.filter(({ nextId }) => !byId.has(nextId))),
    points: neighbours
      .points()
      .map(({ vector }) => textOf(vector, said))
      .sort(),
    service: neighbours
      .services(SERVICE.user)
      .map(({ text }) => text)
      .sort(),
    waiting: waiting.map(({ kind }) => kind.type),
    dead: dead.map(({ kind, lastError }) => `${kind.type}: ${lastError}`),
  };
}

const contents = (memories) => memories.map(({ content }) => content).sort();

/** The text whose vector this is. */
function textOf(vector, said) {
  const texts = said.flatMap(({ notes }) => notes);
  return texts.find((text) => cosine(vectorOf(text), vector) > 0.99) ?? "of no text";
}

function cosine(a, b) {
  const dot = (one, other) => one.reduce((sum, value, at) => sum + value * other[at], 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

/** Three sessions that end at the same time; two of them say where the person lives by now. */
function talksOf(round) {
  const note = (at) => {
    const pick = (list, step) => list[(round * step + at) % list.length];
    return `Lent ${pick(THINGS, 1)} to ${pick(FRIENDS, 3)} ${pick(WHEN, 5)} of year ${round}`;
  };
  const city = `User lives in ${CITIES[round % CITIES.length]}`;
  return [
    talk(LOCAL, `things-${round}`, [note(0), note(1), note(2)]),
    talk(LOCAL, `home-${round}`, [city, note(3)]),
    talk(SERVICE, `service-${round}`, [city, note(4)]),
  ];
}

function talk(who, session, notes) {
  const messages = notes.flatMap((text, at) => [
    { id: `${session}-${at}`, role: "user", content: `Note: ${text}` },
    { id: `${session}-${at}-answer`, role: "assistant", content: "Noted." },
  ]);
  return { scope: { ...who, session }, messages, notes };
}

function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
