// Runs the behaviour cases of tests/cases through the package's public API. It uses nothing of
// Node, so that the same code runs in every runtime. Its host gives the same answers as the native
// one in tests/support, so that what comes out must be the same bytes.

const START_MS = 1_767_607_200_000;

/** How the calls of the core are made through the public API. */
const CALLS = {
  load: (memory, request) => memory.load(request),
  append: (memory, { scope, messages }) => memory.append(scope, messages),
  messages: (memory, { scope, ...options }) => memory.messages(scope, options),
  endSession: (memory, { scope }) => memory.endSession(scope),
  recall: (memory, { scope, query, ...options }) => memory.recall(scope, query, options),
  maintain: (memory, request) => memory.maintain(request),
  replay: (memory, request) => memory.replay(request),
  "outbox.list": (memory, request) => memory.outbox.list(request),
  "outbox.deadLetters": (memory, request) => memory.outbox.deadLetters(request),
  "outbox.redrive": (memory, request) => memory.outbox.redrive(request),
  "outbox.discard": (memory, { scope, id }) => memory.outbox.discard(scope, id),
  sessions: (memory, { scope }) => memory.sessions(scope),
  summary: (memory, { scope }) => memory.summary(scope),
  forgetUser: (memory, { scope }) => memory.forgetUser(scope),
  export: async (memory, { scope }) => {
    const lines = [];
    for await (const line of memory.export(scope)) lines.push(JSON.parse(line));
    return { lines };
  },
  import: (memory, { scope, lines }) =>
    memory.import(scope, lines.map((line) => JSON.stringify(line)).join("\n")),
  countTokens: (memory, request) => memory.countTokens(request),
  "memories.list": (memory, { scope, ...options }) => memory.memories(scope).list(options),
  "memories.get": (memory, { scope, id }) => memory.memories(scope).get(id),
  "memories.add": (memory, { scope, memory: added }) => memory.memories(scope).add(added),
  "memories.update": (memory, { scope, id, patch, ...options }) =>
    memory.memories(scope).update(id, patch, options),
  "memories.revert": (memory, { scope, id, to }) => memory.memories(scope).revert(id, to),
  "memories.restore": (memory, { scope, id }) => memory.memories(scope).restore(id),
  "memories.allow": (memory, { scope, id }) => memory.memories(scope).allow(id),
  "memories.stats": (memory, { scope }) => memory.memories(scope).stats(),
  "memories.pinCandidates": (memory, { scope, ...options }) =>
    memory.memories(scope).pinCandidates(options),
  "memories.questions": (memory, { scope }) => memory.memories(scope).questions(),
  "memories.answer": (memory, { scope, id, keep }) => memory.memories(scope).answer(id, keep),
  "memories.pin": (memory, { scope, id }) => memory.memories(scope).pin(id),
  "memories.unpin": (memory, { scope, id }) => memory.memories(scope).unpin(id),
  "memories.forget": (memory, { scope, id, hard }) => memory.memories(scope).forget(id, { hard }),
  "memories.history": (memory, { scope, id }) => memory.memories(scope).history(id),
};

/** JSON with sorted keys, for comparing bytes. */
export function canonical(value) {
  return JSON.stringify(value, (_, field) =>
    field !== null && typeof field === "object" && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)))
      : field,
  );
}

/** The cosine of two embeddings, summed in order, so that Rust gives the same bits. */
function cosine(a, b) {
  let [dot, ofA, ofB] = [0, 0, 0];
  for (let at = 0; at < a.length; at += 1) {
    dot += a[at] * b[at];
    ofA += a[at] * a[at];
    ofB += b[at] * b[at];
  }
  const norms = Math.sqrt(ofA * ofB);
  return norms > 0 ? dot / norms : 0;
}

/** An in-memory host with an injected clock, seeded randomness, a scripted LLM and faults. */
class ScriptedHost {
  clock = START_MS;
  #random = 0;
  #versions = 0;
  #entries = new Map();
  #cache = new Map();
  #agents;
  #meanings;
  #items = new Map();
  strays = [];
  faults = [];
  answers = [];
  asked = [];
  replies = [];
  sent = [];
  logged = [];

  constructor(agents, meanings) {
    this.#agents = agents;
    this.#meanings = meanings;
  }

  #fault(op, key) {
    for (const fault of this.faults) {
      if (fault.op === op && fault.times > 0 && key.includes(fault.key ?? "")) {
        fault.times -= 1;
        throw new Error(`${op} was told to fail`);
      }
    }
  }

  store = {
    get: async (keys) => {
      for (const key of keys) this.#fault("get", key);
      return keys.map((key) => this.#entries.get(key) ?? null);
    },
    range: async ({ start, end, limit, reverse }) => {
      this.#fault("range", start);
      const keys = [...this.#entries.keys()].filter((key) => start <= key && key < end).sort();
      if (reverse) keys.reverse();
      return keys.slice(0, limit).map((key) => ({ key, ...this.#entries.get(key) }));
    },
    commit: async ({ checks, puts, deletes }) => {
      for (const { key } of puts) this.#fault("commit", key);
      for (const key of deletes) this.#fault("commit", key);
      const holds = ({ key, version }) => (this.#entries.get(key)?.version ?? null) === version;
      if (!checks.every(holds)) return false;
      for (const { key, value } of puts) {
        this.#versions += 1;
        this.#entries.set(key, { value, version: String(this.#versions) });
      }
      for (const key of deletes) this.#entries.delete(key);
      return true;
    },
  };

  cache = {
    get: async (key) => {
      this.#fault("cacheGet", key);
      const entry = this.#cache.get(key);
      return entry && entry.expires > this.clock ? entry.value : null;
    },
    put: async (key, value, ttlMs) => {
      this.#fault("cachePut", key);
      this.#cache.set(key, { value, expires: this.clock + ttlMs });
    },
    delete: async (key) => {
      this.#cache.delete(key);
    },
  };

  agent = async (_tenant, agent) => {
    this.#fault("agent", agent);
    return this.#agents[agent] ?? null;
  };

  now = () => {
    this.#fault("now", "");
    return this.clock;
  };

  random = (length) => {
    this.#fault("random", "");
    return Uint8Array.from({ length }, () => {
      this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) >>> 0;
      return this.#random >>> 24;
    });
  };

  log = (event) => {
    this.logged.push(event);
  };

  provider = async ({ signal: _, ...request }) => {
    this.sent.push(request);
    this.#fault("provider", request.path);
    const fits = ({ path = request.path, times = 1 }) => times > 0 && path === request.path;
    const reply = this.replies.find(fits);
    if (!reply) throw new Error(`the script has no answer for ${request.path}`);
    reply.times = (reply.times ?? 1) - 1;
    if (reply.hangs) return new Promise(() => {});
    if (reply.fails !== undefined) throw new Error(reply.fails);
    return { status: reply.status ?? 200, body: reply.body ?? null };
  };

  llm = async ({ signal: _, ...request }) => {
    this.asked.push(request);
    const answer = this.answers.shift();
    if (answer === undefined) throw new Error("the script has no answer left");
    if (typeof answer === "string") return answer;
    if (answer.hangs) return new Promise(() => {});
    if ("fails" in answer) throw new Error(JSON.stringify(answer.fails));
    return canonical(answer);
  };

  /** A bag of words in 64 dimensions, words of one meaning in one of them. */
  embed = async (texts) => {
    this.#fault("embed", "");
    return texts.map((text) => {
      const vector = new Array(64).fill(0);
      for (const word of text.toLowerCase().split(/[^a-z0-9]+/)) {
        if (word === "") continue;
        let hash = 7;
        for (const char of this.#meanings[word] ?? word) {
          hash = (hash * 31 + char.codePointAt(0)) % 64;
        }
        vector[hash] += 1;
      }
      return vector;
    });
  };

  vectors = {
    upsert: async (items) => {
      this.#fault("vectorUpsert", "");
      for (const item of items) this.#items.set(item.id, item);
    },
    query: async ({ namespace, cubes, vector, topK }) => {
      this.#fault("vectorQuery", "");
      const found = [...this.#items.values()]
        .filter((item) => item.namespace === namespace && cubes.includes(item.cube))
        .map((item) => ({ id: item.id, score: cosine(item.vector, vector) }))
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
      return [...found.slice(0, topK), ...this.strays.map(([id, score]) => ({ id, score }))];
    },
    delete: async (namespace, ids) => {
      this.#fault("vectorDelete", "");
      for (const id of ids) {
        if (this.#items.get(id)?.namespace === namespace) this.#items.delete(id);
      }
    },
  };

  heldVectors() {
    return [...this.#items].map(([id, { namespace, cube }]) => [id, { namespace, cube }]);
  }

  dropCache() {
    this.#cache.clear();
  }

  damageCacheRow(row) {
    for (const entry of this.#cache.values()) {
      const cached = JSON.parse(entry.value);
      if (cached.d?.rows?.[row] !== undefined) {
        cached.d.rows[row] = "damaged";
        entry.value = JSON.stringify(cached);
      }
    }
  }

  dump() {
    const entries = [...this.#entries].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([key, { value }]) => [key, value]));
  }
}

function fill(value, saved, count) {
  if (typeof value === "string") {
    const name = value.startsWith("$") ? value.slice(1) : undefined;
    return name !== undefined && name in saved ? saved[name] : value.replaceAll("#", count);
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, saved, count));
  if (value !== null && typeof value === "object") {
    if (value.$repeat) return value.$repeat[0].repeat(value.$repeat[1]);
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => [key, fill(field, saved, count)]),
    );
  }
  return value;
}

const pointer = (value, path) =>
  path
    .split("/")
    .slice(1)
    .reduce((at, key) => at?.[key], value);

function plainError({ code, message, path, details }) {
  return { code, message, ...(path && { path }), ...(details && { details }) };
}

async function runStep(memory, host, step, count, saved, hasVectors) {
  host.clock += step.advance ?? 0;
  host.faults = (step.faults ?? []).map((fault) => ({ times: Number.MAX_SAFE_INTEGER, ...fault }));
  host.answers = [...(step.llm ?? [])];
  host.strays = step.strays ?? [];
  host.asked = [];
  host.replies = fill(step.provider ?? [], saved, count);
  host.sent = [];
  host.logged = [];
  if (step.dropCache) host.dropCache();
  if (step.damageCacheRow !== undefined) host.damageCacheRow(step.damageCacheRow);
  let output;
  try {
    output = { result: await CALLS[step.call](memory, fill(step.request, saved, count)) };
  } catch (error) {
    output = { error: plainError(error) };
  }
  for (const [name, path] of Object.entries(step.save ?? {})) {
    saved[name] = pointer(output.result, path);
  }
  const seen = { output, asked: host.asked, logged: host.logged, sent: host.sent };
  return hasVectors ? { ...seen, vectors: host.heldVectors().length } : seen;
}

/** Whether a case can be said through the public API, which has no way to misname a call. */
const isCallable = ({ steps }) => steps.every(({ call }) => call in CALLS);

/** Runs one case; gives what the native run writes for it. */
export async function runCase(Siltstone, one) {
  const { config, llm, agents = {}, meanings, providers = [], vectors, steps } = one;
  const host = new ScriptedHost(agents, meanings);
  let memory;
  try {
    memory = await Siltstone.create({
      host,
      config,
      ...(llm && { llm: host.llm }),
      ...(meanings && { embed: host.embed }),
      ...(providers.length > 0 && {
        providers: Object.fromEntries(providers.map((name) => [name, host.provider])),
      }),
      ...(vectors && { vectors: host.vectors }),
    });
    // Natively the vocabularies are there from the start; what is stored beside a message tells.
    await memory.countTokens({ text: "" });
  } catch (error) {
    return { error: plainError(error) };
  }
  const saved = {};
  const outputs = [];
  for (const step of steps) {
    for (let count = 0; count < (step.repeat ?? 1); count += 1) {
      outputs.push(await runStep(memory, host, step, count, saved, vectors));
    }
  }
  memory.close();
  const output = { steps: outputs, store: host.dump() };
  return vectors ? { ...output, vectors: Object.fromEntries(host.heldVectors()) } : output;
}

/**
 * Runs every case of some files and compares with what came out natively. Gives how many were run
 * and where they differ.
 */
export async function compareCases(Siltstone, files, native) {
  let cases = 0;
  const differences = [];
  for (const [file, list] of Object.entries(files)) {
    for (const one of list) {
      const creates = one.steps[0]?.call === "create";
      if (!creates && !isCallable(one)) continue;
      cases += 1;
      const name = `${file}: ${one.name}`;
      const got = canonical(await runCase(Siltstone, one));
      const wanted = canonical(native[file][name]);
      if (got !== wanted) {
        let at = 0;
        while (got[at] === wanted[at]) at += 1;
        const around = (text) => text.slice(Math.max(0, at - 200), at + 200);
        differences.push(`${name}\n  here:   …${around(got)}\n  native: …${around(wanted)}`);
      }
    }
  }
  return { cases, differences };
}
