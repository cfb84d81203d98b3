// Many conversations at once with the chat app, over HTTP. Every message and every fact is looked for
// afterwards.

import { setTimeout as sleep } from "node:timers/promises";

/** Sessions of one user at a time: they write the same user's memories side by side. */
const SESSIONS_OF_USER = 4;
/** Sessions that a user has in all, so that the list of memories fits into one page. */
const MAX_SESSIONS_OF_USER = 40;
const TRIES = 4;
const RETRY_MS = 250;

const THINGS = ["kite", "drum", "lamp", "tent", "globe", "harp", "sled", "loom", "chest", "clock"];
const COLOURS = ["blue", "amber", "green", "white", "purple", "crimson", "silver", "black"];
const PLACES = ["attic", "cellar", "barn", "boathouse", "library", "studio", "garage", "cabin"];

/**
 * Begins sessions for so many seconds, `sessions` at a time; each says three things, one of them a
 * fact, and ends. Gives the times of all requests, and what is missing.
 */
export async function load(url, { seconds, sessions, progress = () => {} }) {
  const run = new Run(url);
  const end = Date.now() + seconds * 1_000;
  const users = [];
  const worker = async (number) => {
    // Workers of one group share a user, for a while.
    const group = Math.floor(number / SESSIONS_OF_USER);
    for (let at = 0; Date.now() < end; at += 1) {
      const turn = Math.floor((at * SESSIONS_OF_USER) / MAX_SESSIONS_OF_USER);
      const user = `user-${group}-${turn}`;
      users.push(user);
      await run.session(user, `session-${number}-${at}`);
    }
  };
  const workers = Array.from({ length: sessions }, (_, number) => worker(number));
  const timer = setInterval(() => progress(run), 5_000);
  await Promise.all(workers).finally(() => clearInterval(timer));
  const elapsedMs = Date.now() - (end - seconds * 1_000);
  for (const user of new Set(users)) {
    await run.check(user);
  }
  return run.result(elapsedMs);
}

class Run {
  talks = [];
  #url;
  #timesMs = { chat: [], end: [] };
  #errors = new Map();
  #lostMessages = [];
  #lostFacts = [];
  #doubled = [];
  #explained = 0;
  #remembered = 0;

  constructor(url) {
    this.#url = url;
  }

  async session(user, session) {
    const fact = factOf(this.talks.length);
    const says = [
      "Hello there!",
      `Remember that the ${fact}.`,
      `Where is the ${fact.split(" is ")[0]}?`,
    ];
    const talk = { user, session, fact, said: [], reports: [] };
    this.talks.push(talk);
    for (const [at, message] of says.entries()) {
      const id = `${session}-${at}`;
      const text = await this.#timed("chat", "/api/chat", { user, session, message, id });
      if (text !== undefined) {
        talk.said.push(id, `${id}-answer`);
      }
    }
    const report = await this.#timed("end", "/api/end", { user, session });
    if (report !== undefined) {
      talk.reports.push(JSON.parse(report));
    }
  }

  /** Sends a request, again after an error as the page does, and notes how long each took. */
  async #timed(name, path, body) {
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      const begun = performance.now();
      try {
        const text = await ask(this.#url + path, body);
        this.#timesMs[name].push(performance.now() - begun);
        return text;
      } catch (error) {
        const what = `${name}: ${error.message}`;
        this.#errors.set(what, (this.#errors.get(what) ?? 0) + 1);
        await sleep(RETRY_MS * attempt);
      }
    }
    return undefined;
  }

  /** Looks for all that a user said, and for what became of each fact. */
  async check(user) {
    const talks = this.talks.filter((talk) => talk.user === user);
    const { memories } = await this.#read("/api/memories", { user });
    const reports = talks.flatMap((talk) => talk.reports);
    for (const { session, said, fact } of talks) {
      const { messages } = await this.#read("/api/messages", { user, session });
      if (JSON.stringify(messages.map(({ id }) => id)) !== JSON.stringify(said)) {
        this.#lostMessages.push(session);
      }
      const holding = memories.filter(({ content }) => content.includes(fact));
      if (holding.length > 1) {
        this.#doubled.push(fact);
      } else if (holding.length === 1) {
        this.#remembered += 1;
      } else if (isExplained(fact, reports)) {
        this.#explained += 1;
      } else {
        this.#lostFacts.push(fact);
      }
    }
  }

  async #read(path, query) {
    return JSON.parse(await ask(`${this.#url}${path}?${new URLSearchParams(query)}`));
  }

  result(elapsedMs) {
    const count = (list) => list.length;
    return {
      sessions: count(this.talks),
      messages: this.talks.reduce((sum, { said }) => sum + said.length, 0),
      seconds: elapsedMs / 1_000,
      remembered: this.#remembered,
      explained: this.#explained,
      lostMessages: this.#lostMessages,
      lostFacts: this.#lostFacts,
      doubled: this.#doubled,
      errors: Object.fromEntries(this.#errors),
      latencyMs: Object.fromEntries(
        Object.entries(this.#timesMs).map(([name, times]) => [name, percentiles(times)]),
      ),
    };
  }
}

async function ask(url, body) {
  // A connection of its own: one that is kept may be closed just when it is used again.
  const headers = { "content-type": "application/json", connection: "close" };
  const post = body && { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(url, { headers, ...post });
  const text = await response.text();
  const fault = /"error":\{"code":"(\w+)"/.exec(text)?.[1];
  if (!response.ok || fault !== undefined) {
    throw new Error(fault ?? `status ${response.status}`);
  }
  return text;
}

/** Whether some session's end told why the fact is no memory of its own, or is none any more. */
function isExplained(fact, reports) {
  const tells = ({ content }) => content.includes(fact);
  const ids = reports.flatMap(({ stored }) => stored.filter(tells).map(({ id }) => id));
  return reports.some(
    ({ merged, dropped, superseded, forgotten, evicted }) =>
      [...merged, ...dropped].some(tells) ||
      [...superseded, ...forgotten, ...evicted].some(({ id }) => ids.includes(id)),
  );
}

/** A fact that no other number gives. */
function factOf(number) {
  const pick = (list, divisor) => list[Math.floor(number / divisor) % list.length];
  const thing = `${pick(COLOURS, 1)} ${pick(THINGS, COLOURS.length)} ${number}`;
  return `${thing} is in the ${pick(PLACES, 3)}`;
}

function percentiles(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
