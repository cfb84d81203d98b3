import { plainAnswer } from "./check.js";
import { type ErrorCode, SiltstoneError } from "./errors.js";
import type {
  Counter,
  Embed,
  Host,
  Llm,
  LlmRequest,
  LogEvent,
  ProviderRequest,
  Providers,
  VectorItem,
  VectorOptions,
  VectorQuery,
  VectorStore,
} from "./host.js";
import { MAX_TIMER_MS } from "./timers.js";

/** Characters of a language model's answer at most. */
const MAX_ANSWER_CHARS = 4_000_000;

/** What the callbacks of one instance need from its options. */
export interface Parts {
  host: Host;
  llm?: Llm | undefined;
  embed?: Embed | undefined;
  vectors?: VectorStore | undefined;
  providers?: Providers | undefined;
  counter?: Counter | undefined;
  lifetime: Lifetime;
}

/**
 * Whether an instance is open. Not an `AbortSignal`: in a Worker an instance outlives the request
 * that made it, and a signal may not be touched by other requests.
 */
export class Lifetime {
  /** What the store threw last. */
  storeFault: unknown;
  #isClosed = false;
  readonly #stops = new Set<() => void>();

  /** @throws {@link SiltstoneError} `closed` after the end. */
  check(): void {
    if (this.#isClosed) {
      throw closed();
    }
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Runs `stop` at the end, unless what it gives is called before. */
  onEnd(stop: () => void): () => void {
    this.#stops.add(stop);
    return () => this.#stops.delete(stop);
  }

  end(): void {
    this.#isClosed = true;
    for (const stop of this.#stops) {
      stop();
    }
  }
}

/** The functions through which the core reaches the outside, under the names that it knows. */
export function callbacks(parts: Parts): object {
  const { host, llm, embed, vectors, providers, counter, lifetime } = parts;
  const { store, cache } = host;
  // Async, so that a host that throws at once looks like one whose promise is rejected.
  const noted = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      lifetime.storeFault = error;
      throw error;
    }
  };
  return {
    get: (keys: string[]) => noted(() => store.get(keys)),
    range: (range: Parameters<typeof store.range>[0]) => noted(() => store.range(range)),
    commit: (batch: Parameters<typeof store.commit>[0]) => noted(() => store.commit(batch)),
    // Async functions, for the same reason.
    ...(cache && {
      cacheGet: async (key: string) => cache.get(key),
      cachePut: async (key: string, value: string, ttlMs: number) => cache.put(key, value, ttlMs),
    }),
    ...(llm && {
      complete: (request: Omit<LlmRequest, "signal">) =>
        within(request.timeoutMs, "the language model", lifetime, async (signal) =>
          bounded(await llm({ ...request, signal })),
        ),
    }),
    ...(embed && {
      embed: (texts: string[], timeoutMs: number) =>
        within(timeoutMs, "the embedder", lifetime, (signal) =>
          embed(texts, { timeoutMs, signal }),
        ),
    }),
    ...(vectors && vectorCallbacks(vectors, lifetime)),
    ...providerCallbacks(providers, lifetime),
    ...(host.agent && {
      agent: async (tenant: string, agentId: string) =>
        plainAnswer(await host.agent?.(tenant, agentId), "agent", "invalid_config"),
    }),
    ...(counter && { count: counter }),
    sleep,
    // Without these, the core takes the runtime's own clock, randomness and console.
    ...(host.now && { now: () => host.now?.() }),
    ...(host.random && { random: (length: number) => host.random?.(length) }),
    ...(host.log && { log: (event: LogEvent) => void logged(host, event) }),
  };
}

/** Tells the host. One whose logger fails, at once or later, is left in peace. */
async function logged(host: Host, event: LogEvent): Promise<void> {
  try {
    await host.log?.(event);
  } catch {
    // There is nobody left to tell.
  }
}

function bounded(answer: string): string {
  if (typeof answer === "string" && answer.length > MAX_ANSWER_CHARS) {
    throw new SiltstoneError(
      "llm_failed",
      `the answer has more than ${MAX_ANSWER_CHARS} characters`,
    );
  }
  return answer;
}

function vectorCallbacks(vectors: VectorStore, lifetime: Lifetime): object {
  const asked = <T>(timeoutMs: number, work: (options: VectorOptions) => Promise<T>) =>
    within(
      timeoutMs,
      "the vector store",
      lifetime,
      (signal) => work({ timeoutMs, signal }),
      "service_failed",
    );
  return {
    vectorUpsert: (items: VectorItem[], timeoutMs: number) =>
      asked(timeoutMs, (options) => vectors.upsert(items, options)),
    vectorQuery: (query: VectorQuery, timeoutMs: number) =>
      asked(timeoutMs, (options) => vectors.query(query, options)),
    vectorDelete: (namespace: string, ids: string[], timeoutMs: number) =>
      asked(timeoutMs, (options) => vectors.delete(namespace, ids, options)),
  };
}

function providerCallbacks(providers: Providers = {}, lifetime: Lifetime): object {
  return Object.fromEntries(
    Object.entries(providers)
      .filter(([, transport]) => transport !== undefined)
      .map(([name, transport]) => [
        name,
        (request: Omit<ProviderRequest, "signal">) =>
          within(
            request.timeoutMs,
            name,
            lifetime,
            async (signal) =>
              plainAnswer(await transport({ ...request, signal }), name, "service_failed"),
            "service_failed",
          ),
      ]),
  );
}

function closed(): SiltstoneError {
  return new SiltstoneError("closed", "the Siltstone instance was closed");
}

/** Runs `work` and gives it up at its deadline, whether or not it heeds the signal. */
async function within<T>(
  timeoutMs: number,
  who: string,
  lifetime: Lifetime,
  work: (signal: AbortSignal) => Promise<T>,
  code: ErrorCode = "llm_failed",
): Promise<T> {
  lifetime.check();
  const controller = new AbortController();
  const { signal } = controller;
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  const ended = lifetime.onEnd(() => controller.abort(closed()));
  const timer = setTimeout(
    () => {
      const message = `${who} did not answer within ${timeoutMs} ms`;
      controller.abort(new SiltstoneError(code, message, { details: { reason: "timeout" } }));
    },
    Math.min(timeoutMs, MAX_TIMER_MS),
  );
  try {
    return await Promise.race([work(signal), aborted]);
  } finally {
    clearTimeout(timer);
    ended();
  }
}

function sleep(ms: number): { promise: Promise<void>; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const promise = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, MAX_TIMER_MS));
  });
  return { promise, cancel: () => clearTimeout(timer) };
}
