import type { LifeConfig } from "./life-config.js";
import type { Mem0Config, MemosConfig } from "./provider-config.js";

/** One agent's configuration. */
export interface AgentConfig {
  /** Whether long-term memories are recalled into its turns. Default: false. */
  longMemory?: boolean;
  /** The chat model it is bound to; without one and without an `llm`, recall is skipped. */
  model?: string;
  /** Rounds of history in the window; three messages are read for each. 0 to 10,000; default: 20. */
  contextRounds?: number;
  /**
   * Where its long-term memories live. Default: `"local"`, the host's store; a service needs its
   * transport in `create`'s `providers`.
   */
  provider?: "local" | "memos" | "mem0";
}

/** Everything that can be tuned. All of it is optional; a field that is not known is an error. */
export interface SiltstoneConfig {
  /** How tokens are counted. */
  tokens?: {
    /** `"estimate"` needs no vocabulary and is over on what people write. Default: `"o200k_base"`. */
    encoding?: "o200k_base" | "cl100k_base" | "estimate";
    /** Tokens charged for an image without a declared size. 0 to 1,000,000; default: 765. */
    imageTokens?: number;
    /** Tokens charged for a file that carries no text. 0 to 1,000,000; default: 765. */
    fileTokens?: number;
  };
  /** The window: what goes to the model in a turn. */
  window?: {
    /** Tokens of everything that goes to the model. 1 to 10,000,000; default: 64,000. */
    maxTokens?: number;
    /** Messages at most, this turn's included. 1 to 100,000; default: no limit. */
    maxMessages?: number;
    /**
     * What happens to turns that break the alternation of user and assistant: the older turn of a
     * run is left out, or the run is merged into one turn. Default: `"drop"`.
     */
    alternation?: "drop" | "merge";
    /**
     * What happens when this turn's message alone is larger than the window: it is cut, with a
     * mark, or the call fails with `budget_exceeded`. Default: `"cut"`.
     */
    oversize?: "cut" | "error";
  };
  /** The summary of a session. */
  summary?: {
    /** A summary is made when this many messages are not covered. 1 to 100,000; default: 20. */
    minMessages?: number;
    /** Tokens reserved for it in the window. 0 to below `window.maxTokens`; default: 2,000. */
    maxTokens?: number;
    /** How long the hot cache keeps it, in milliseconds. Default: 3,600,000 (an hour). */
    cacheTtlMs?: number;
    /** How long the language model may take, in milliseconds. Default: 60,000. */
    timeoutMs?: number;
  };
  /** The stored messages and their hot cache. */
  history?: {
    /** Messages of a session in the hot cache. 0 to 10,000; default: 200. */
    cacheMessages?: number;
    /** How long the hot cache keeps them, in milliseconds. Default: 86,400,000 (a day). */
    cacheTtlMs?: number;
    /** Characters of one message, all of its JSON included. 1 to 1,000,000; default: 1,000,000. */
    maxMessageChars?: number;
    /** Messages that one `append` takes. 1 to 10,000; default: 1,000. */
    maxAppend?: number;
  };
  /** Long-term recall before a turn. */
  recall?: {
    /** Memories that relevance may bring into a turn. 0 to 1,000; default: 8. */
    topK?: number;
    /**
     * Memories per scope (user, agent) in a turn: all that may be pinned, and what is recalled. 0 to
     * 10,000; default: 30.
     */
    scopeLimit?: number;
    /**
     * User memories of at least this importance are part of every turn. 1 to 11, where 11 turns
     * that off; default: 7.
     */
    standingImportance?: number;
    /**
     * A user's memories are all part of every turn while there are no more than this, whatever the
     * message is about. 0 to 10,000, where 0 turns that off; default: 20.
     */
    standingCount?: number;
    /** How long recall may take before the turn goes on without it, in ms. Default: 3,000. */
    timeoutMs?: number;
    /** A provider's answers under this score are dropped. 0 to 1; default: 0.3. */
    minScore?: number;
    /** The built-in search's answers under this relevance are dropped. 0 to 1; default: 0.1. */
    localMinScore?: number;
    /** Characters of one recalled item. 1 to 100,000; default: 1,000. */
    itemChars?: number;
    /** Characters of context that follow the message in the query. 0 to 100,000; default: 200. */
    contextChars?: number;
    /**
     * The share of its score that a memory loses when it has not been used for long: relevance
     * decides, recency orders what is about as relevant. 0 to 1; default: 0.05.
     */
    recencyShare?: number;
    /** The weight of relevance against novelty. 0 to 1; default: 0.8. */
    mmrLambda?: number;
    /** The share of a hit's score that it lends to memories of the messages next to it. 0 to 1; default: 0.5. */
    neighbourShare?: number;
    /**
     * How long embeddings may take, in milliseconds, the answer of a vector store included; then
     * words alone decide. Default: 2,000.
     */
    embedTimeoutMs?: number;
    /**
     * The cosine from which on a memory answers without sharing a word with the question. 0 to 1;
     * default: 0.25.
     */
    minCosine?: number;
    /** Match keywords only, even where embeddings are there. Default: false. */
    keywordOnly?: boolean;
    /** Leave memories marked sensitive out. Default: false. */
    filterSensitive?: boolean;
    /** Ask the host's own store when an agent's memory service fails. Default: false. */
    failover?: boolean;
  };
  /** The token budget of recalled memories. */
  budget?: {
    /** Tokens for user profile and agent memory together. 0 to 10,000,000; default: 4,000. */
    maxTokens?: number;
    /** The share that the user profile may take. 0 to 1; default: 0.6. */
    userShare?: number;
    /** What a memory that does not fit does: it is left out, or ends its section. Default: `"skip"`. */
    overflow?: "skip" | "stop";
  };
  /** Who makes memories of 120 characters and more shorter; a guard rejects what lost a fact. */
  compress?: {
    /**
     * `"rules"`: lightly for what a judge proposes, deeply for what settles for long; `"llm"`: as
     * `"rules"`, but the language model condenses what settles; `"off"`. Default: `"rules"`.
     */
    mode?: "off" | "rules" | "llm";
    /** How long the language model may take for one text, in milliseconds. Default: 30,000. */
    timeoutMs?: number;
  };
  /** Who decides at the end of a session what is worth keeping. */
  judge?: {
    /**
     * `"auto"`: the language model where there is one, rules when it fails or is absent; `"rules"`;
     * `"verbatim"`: every new chat message becomes a memory as it is. Default: `"auto"`.
     */
    mode?: "auto" | "rules" | "verbatim";
    /** Characters of one memory. 1 to 10,000; default: 200. */
    maxChars?: number;
    /** How long the language model may take, in milliseconds. Default: 60,000. */
    timeoutMs?: number;
    /** Tokens of dialogue in one request. 100 to 10,000,000; default: 24,000. */
    maxDialogueTokens?: number;
    /** Stored memories shown to the language model. 0 to 1,000; default: 20. */
    knownMemories?: number;
  };
  /** When two texts say the same. */
  dedup?: {
    /** Character Jaccard similarity of duplicates. 0 to 1; default: 0.7. */
    jaccard?: number;
    /** Levenshtein similarity of short duplicates. 0 to 1; default: 0.8. */
    levenshtein?: number;
    /** Characters up to which a text is short. 0 to 10,000; default: 50. */
    shortChars?: number;
    /**
     * The cosine of embeddings from which on two memories are near. 0 to 1, where 0.80 to 0.88 suits
     * most models; default: 0.85.
     */
    cosine?: number;
    /** The share of common words from which on two memories are linked. 0 to 1; default: 0.6. */
    overlap?: number;
    /**
     * Ask the person about severe contradictions (identity, health); otherwise the newer one wins.
     * Default: true.
     */
    askSevere?: boolean;
  };
  /** What may not become a memory as it is. */
  safety?: {
    /**
     * Passwords, keys, tokens, card numbers and codes: `mask` puts `[masked password]` and the like
     * in their place, for the judge too; `allow` stores them. Default: `mask`.
     */
    secrets?: "mask" | "allow";
    /**
     * Texts that try to give orders to whoever reads them later: `hold` stores them with the reason
     * and keeps them out of recall until `memories(scope).allow(id)`, `flag` only notes the reason,
     * `allow` does not look. Default: `hold`.
     */
    suspicious?: "hold" | "flag" | "allow";
  };
  /** How memories settle, cool and are forgotten. */
  life?: LifeConfig;
  /** How effects outside the store, such as those on a vector store, are tried and tried again. */
  outbox?: {
    /** Attempts before an effect becomes a dead letter. 1 to 1,000; default: 10. */
    maxAttempts?: number;
    /**
     * How long the first failure makes it wait, in milliseconds; each further one twice as long. 1
     * to a day; default: 5,000.
     */
    backoffMs?: number;
    /** How long it waits at most, in milliseconds. Up to a week; default: 3,600,000 (an hour). */
    maxBackoffMs?: number;
    /** How long one attempt may take, in milliseconds. 1 to an hour; default: 15,000. */
    timeoutMs?: number;
    /**
     * How long whoever does an effect keeps others from it, in milliseconds. Over `timeoutMs`, to a
     * day; default: 60,000.
     */
    leaseMs?: number;
  };
  /** The end of a session. */
  sessionEnd?: {
    /** How long one call may hold its session, in milliseconds. Default: 600,000. */
    lockMs?: number;
    /** How long a message counts as processed, in milliseconds. Default: 604,800,000 (a week). */
    markTtlMs?: number;
  };
  memos?: MemosConfig;
  mem0?: Mem0Config;
  /** What holds for every agent that has no entry of its own. */
  agent?: AgentConfig;
  /** By agent id: fields that differ from `agent`. */
  agents?: Record<string, AgentConfig>;
}
