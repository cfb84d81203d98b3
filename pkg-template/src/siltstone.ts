/// <reference lib="esnext.disposable" preserve="true" />
import { callbacks, Lifetime } from "./callbacks.js";
import { checkText, joined, plain } from "./check.js";
import type { SiltstoneConfig } from "./config.js";
import { counterOf, MAX_COUNT, type TokenCounter } from "./counter.js";
import { fromCore, SiltstoneError } from "./errors.js";
import type { Counter, Embed, Host, Llm, Providers, VectorStore } from "./host.js";
import { Memories } from "./memories.js";
import type { Message, Scope, SessionScope } from "./messages.js";
import { Outbox, type ReplayOptions, type ReplayReport } from "./outbox.js";
import { ready } from "./ready.js";
import type {
  AppendResult,
  CountRequest,
  EndReport,
  FitsResult,
  ForgetReceipt,
  LoadRequest,
  MaintainOptions,
  MaintainReport,
  MessagesOptions,
  RecallOptions,
  RecallResult,
  SessionInfo,
  Summary,
  Turn,
} from "./requests.js";
import { isCold, rest } from "./rest.js";
import type { CoreCalls, Tracer } from "./tracer.js";
import { exportLines, type ImportReport, importLines, type Lines } from "./transfer.js";
import type { Vocabulary } from "./vocab/file.js";
import { Vocabularies } from "./vocabularies.js";
import { Core } from "./wasm/core.js";

/** What {@link Siltstone.create} takes. */
export interface SiltstoneOptions {
  /** Where messages and memories are kept. */
  host: Host;
  /** Decides what to keep of a session and writes summaries; rules stand in for it without one. */
  llm?: Llm;
  /** Gives the vectors of texts, so that recall also finds what is said in other words. */
  embed?: Embed;
  /** Keeps the vectors of memories, for users whose memories outgrow one machine. */
  vectors?: VectorStore;
  /** External memory services, for agents whose configuration names one as their `provider`. */
  providers?: Providers;
  /** Your own token counter, in place of the one that `config.tokens.encoding` names. */
  counter?: Counter;
  /**
   * Vocabularies beside those that the entry brings (`siltstone`: `o200k_base`; `siltstone/slim`:
   * none), imported from `siltstone/vocab/…`. Each is loaded at the first count that needs it.
   */
  vocabularies?: readonly Vocabulary[];
  config?: SiltstoneConfig;
  /** Follows what the instance does: a recording of `siltstone/trace`. */
  trace?: Tracer;
}

// Some runtimes have no `Symbol.dispose` yet.
const DISPOSE: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");

/**
 * The memory of an agent, over one host. One instance serves all tenants, users and sessions; every
 * call says by its scope whose data it is about.
 */
export class Siltstone {
  /** What is still to be done outside the store, such as on a vector store. */
  readonly outbox: Outbox;
  readonly #core: CoreCalls;
  readonly #lifetime: Lifetime;
  readonly #vocabularies: Vocabularies;
  readonly #isTraced: boolean;
  #pending = 0;
  // What is installed stays so: there is no need to ask the core at every count.
  #counts = false;

  private constructor(
    core: CoreCalls,
    lifetime: Lifetime,
    vocabularies: Vocabularies,
    isTraced: boolean,
  ) {
    this.#core = core;
    this.#isTraced = isTraced;
    this.#lifetime = lifetime;
    this.outbox = new Outbox((method, request) => this.#call(method, request));
    this.#vocabularies = vocabularies;
  }

  /** Loads the WebAssembly module, once for all instances, and makes an instance. */
  static async create(options: SiltstoneOptions): Promise<Siltstone> {
    checkOptions(options);
    await ready();
    const lifetime = new Lifetime();
    const { config = {}, vocabularies: own, trace, ...parts } = options;
    const vocabularies = new Vocabularies(own);
    const plainConfig = plain(config, "config", "invalid_config");
    try {
      const outside = callbacks({ ...parts, lifetime });
      const make = (callbacks: object) => new Core(callbacks, plainConfig);
      const core = trace?.open({ callbacks: outside, config: plainConfig, make }) ?? make(outside);
      if (trace != null) {
        // When it is loaded would else depend on what other instances have done.
        await rest();
      }
      const encoding = core.vocabulary;
      if (encoding !== undefined) {
        vocabularies.require(encoding);
        if (trace != null) {
          // What is counted where would else depend on what other instances have loaded.
          await vocabularies.install(encoding);
        }
      }
      return new Siltstone(core, lifetime, vocabularies, trace != null);
    } catch (error) {
      throw fromCore(error);
    }
  }

  /**
   * Loads the part of the WebAssembly module that no turn needs, such as ending a session, ahead of the
   * first call that does; without this, that call loads it.
   */
  static async preload(): Promise<void> {
    await ready();
    await rest();
  }

  /**
   * Prepares a turn: reads the session and recalls memories side by side, and fits them into the
   * budget. It stores nothing.
   */
  load(request: LoadRequest): Promise<Turn> {
    return this.#call("load", request);
  }

  /** Stores messages of a session, in order; all of them or none. */
  append(scope: SessionScope, messages: Message[]): Promise<AppendResult> {
    return this.#call("append", { scope, messages });
  }

  /** Reads messages of a session, the newest ones, oldest first. */
  async messages(
    scope: SessionScope,
    options: MessagesOptions = {},
  ): Promise<{ messages: Message[] }> {
    return this.#call("messages", joined(options, { scope }));
  }

  /**
   * Removes messages from a session, by their ids; ids that are not there are left out. What was
   * learnt or summarised from them stays.
   */
  removeMessages(scope: SessionScope, ids: string[]): Promise<{ removed: string[] }> {
    return this.#call("removeMessages", { scope, ids });
  }

  /**
   * Removes all messages of a session and its summary, and gives how many there were. Memories that
   * were learnt from them stay.
   */
  clearSession(scope: SessionScope): Promise<{ removed: number }> {
    return this.#call("clearSession", { scope });
  }

  /**
   * Settles what is new in a session into long-term memories. Call it when a conversation pauses or
   * ends, and again whenever it went on: what was settled before is not settled twice.
   */
  endSession(scope: SessionScope): Promise<EndReport> {
    return this.#call("endSession", { scope });
  }

  /** Searches the long-term memories of a user. */
  async recall(scope: Scope, query: string, options: RecallOptions = {}): Promise<RecallResult> {
    return this.#call("recall", joined(options, { scope, query }));
  }

  /** The long-term memories of a user: to list, add, change and forget. */
  memories(scope: Scope): Memories {
    return new Memories(scope, (method, request) => this.#call(method, request));
  }

  /**
   * Does one bounded slice of what memories need over time: archiving, settling and forgetting, and
   * of what {@link Siltstone.replay} does. Run it until it is `done`, and again at `nextRunAt`;
   * `siltstone/maintain` does so in each runtime.
   */
  maintain(options: MaintainOptions = {}): Promise<MaintainReport> {
    return this.#call("maintain", options);
  }

  /**
   * Does again what failed or was cut off outside the store, such as on a vector store: one bounded
   * slice. `maintain` does so too; call this to have it done at once, as at a start.
   */
  replay(options: ReplayOptions = {}): Promise<ReplayReport> {
    return this.#call("replay", options);
  }

  /** The sessions of a user. */
  sessions(scope: Scope): Promise<{ sessions: SessionInfo[] }> {
    return this.#call("sessions", { scope });
  }

  /** The summary of a session, if one was made. */
  summary(scope: SessionScope): Promise<Summary> {
    return this.#call("summary", { scope });
  }

  /**
   * Removes a person everywhere: every record, the hot cache, the vector store, MemOS and Mem0. The
   * receipt says what was removed and what could not be reached; that is tried again by `replay`.
   */
  forgetUser(scope: Pick<Scope, "tenant" | "user">): Promise<ForgetReceipt> {
    return this.#call("forgetUser", { scope });
  }

  /**
   * Everything that is stored of a user, as lines of JSON, one record each: to keep, to hand over,
   * or to bring in elsewhere. Later versions read it as well.
   */
  export(scope: Scope): AsyncIterable<string> {
    return exportLines((method, request) => this.#call(method, request), scope);
  }

  /**
   * Brings lines of an export in, for the user of this scope. What is there stays as it is, so that
   * an import which broke off is simply done again; but a version whose successor comes is live no
   * more, and what a memory here says already comes in as an earlier version of it. Lines are checked
   * like any other input: secrets are masked, and texts that give orders held, as the configuration
   * says.
   */
  import(scope: Scope, lines: Lines): Promise<ImportReport> {
    return importLines((method, request) => this.#call(method, request), scope, lines);
  }

  /** Counts tokens as `load` does, a message's framing included. */
  async countTokens(request: CountRequest): Promise<{ tokens: number }> {
    const text = this.#isTraced ? undefined : onlyText(request);
    const counted = text === undefined ? undefined : this.#countText(text, MAX_COUNT);
    const tokens = counted instanceof Promise ? await counted : counted;
    return tokens === undefined ? this.#call("countTokens", request) : { tokens };
  }

  /** Whether something has at most `budget` tokens; it is not counted further than that needs. */
  async fits(what: string | CountRequest, budget: number): Promise<FitsResult> {
    const text = typeof what === "string" ? what : onlyText(what);
    const isPlain = Number.isInteger(budget) && budget >= 0 && budget <= MAX_COUNT;
    if (text === undefined || !isPlain || this.#isTraced) {
      const request = typeof what === "string" ? { text: what } : what;
      return this.#call("fits", joined(request, { budget }));
    }
    const tokens = await this.#countText(text, budget);
    return tokens === undefined ? { fits: false } : { fits: true, tokens };
  }

  /**
   * Loads the vocabulary, if the encoding has one that is not there yet, and gives a counter of texts
   * that answers at once: for many short texts, promises cost more than counting.
   */
  async counter(): Promise<TokenCounter> {
    this.#lifetime.check();
    const encoding = this.#core.missingVocabulary("countTokens");
    if (encoding !== undefined) {
      await this.#underWay(() => this.#vocabularies.install(encoding));
    }
    return counterOf((text, limit, path) => {
      checkText(text, path);
      this.#lifetime.check();
      return this.#countNow(text, limit);
    });
  }

  // A text alone needs no request that is copied, checked and read again: for a short one, that takes
  // longer than counting it.
  #countText(text: string, limit: number): number | undefined | Promise<number | undefined> {
    this.#lifetime.check();
    checkText(text);
    const encoding = this.#counts ? undefined : this.#core.missingVocabulary("countTokens");
    if (encoding === undefined) {
      this.#counts = true;
      return this.#countNow(text, limit);
    }
    return this.#underWay(async () => {
      await this.#vocabularies.install(encoding);
      return this.#countNow(text, limit);
    });
  }

  #countNow(text: string, limit: number): number | undefined {
    try {
      return this.#core.countText(text, limit);
    } catch (error) {
      throw fromCore(error);
    }
  }

  /**
   * Frees the instance. Questions to the language model are aborted, calls that are under way come
   * to their end, and new ones fail.
   */
  close(): void {
    if (!this.#lifetime.isClosed) {
      this.#lifetime.end();
      this.#freeWhenIdle();
    }
  }

  /** Closes the instance at the end of a `using` block. */
  [DISPOSE](): void {
    this.close();
  }

  #call<T>(method: string, request: unknown): Promise<T> {
    return this.#underWay(async () => {
      const checked = plain(request);
      const encoding = this.#core.missingVocabulary(method);
      if (encoding !== undefined) {
        await this.#vocabularies.install(encoding);
      }
      if (this.#core.missingRest(method, isCold(checked))) {
        await rest();
      }
      return (await this.#core.call(method, checked)) as T;
    });
  }

  async #underWay<T>(work: () => Promise<T>): Promise<T> {
    this.#lifetime.check();
    this.#pending += 1;
    try {
      return await work();
    } catch (error) {
      throw fromCore(error, this.#lifetime.storeFault);
    } finally {
      this.#pending -= 1;
      this.#freeWhenIdle();
    }
  }

  // The core may not go away under a call that is still using it.
  #freeWhenIdle(): void {
    if (this.#lifetime.isClosed && this.#pending === 0) {
      this.#core.free();
    }
  }
}

function onlyText(request: CountRequest): string | undefined {
  try {
    const text = request?.text;
    return typeof text === "string" && Object.keys(request).length === 1 ? text : undefined;
  } catch {
    // What cannot be read is told where every request is checked.
    return undefined;
  }
}

function checkOptions(options: SiltstoneOptions): void {
  const { host, llm, embed, vectors, providers, counter, vocabularies, trace } = options ?? {};
  const required = {
    "host.store.get": host?.store?.get,
    "host.store.range": host?.store?.range,
    "host.store.commit": host?.store?.commit,
  };
  const optional = {
    llm,
    embed,
    counter,
    "host.agent": host?.agent,
    "host.now": host?.now,
    "host.random": host?.random,
    "host.log": host?.log,
    "providers.memos": providers?.memos,
    "providers.mem0": providers?.mem0,
    ...(trace != null && { "trace.open": trace.open ?? null }),
    ...Object.fromEntries(
      (vocabularies ?? []).map((vocabulary, at) => [
        `vocabularies[${at}].load`,
        vocabulary?.load ?? null,
      ]),
    ),
    ...(vectors != null && {
      "vectors.upsert": vectors.upsert ?? null,
      "vectors.query": vectors.query ?? null,
      "vectors.delete": vectors.delete ?? null,
    }),
    ...(host?.cache != null && {
      "host.cache.get": host.cache.get ?? null,
      "host.cache.put": host.cache.put ?? null,
    }),
  };
  const wrong = [
    ...Object.entries(required).filter(([, value]) => typeof value !== "function"),
    ...Object.entries(optional).filter(
      ([, value]) => value !== undefined && typeof value !== "function",
    ),
  ];
  for (const [path] of wrong) {
    throw new SiltstoneError("invalid_config", `${path}: expected a function`, {
      path,
      details: { expected: "a function" },
    });
  }
}
