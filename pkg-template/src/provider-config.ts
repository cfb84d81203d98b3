/** How MemOS is spoken to, for agents whose `provider` is `"memos"`. */
export interface MemosConfig {
  /**
   * Which interface: a server of your own, whose root ends in `/product`, or the vendor's, whose
   * root ends in `/api/openmem/v1`. Default: `"self_hosted"`.
   */
  api?: "self_hosted" | "cloud";
  /** Memories of each kind that a search asks for. 1 to 1,000; default: 10. */
  topK?: number;
  /** Relevance from which on MemOS answers with a memory. 0 (off) to 1; default: 0.45. */
  relativity?: number;
  /** How it leaves near-repeats out; its own server only. Default: `"mmr"`. */
  dedup?: "no" | "sim" | "mmr";
  /** Whether preferences are searched, too. Default: true. */
  includePreference?: boolean;
  /** Preferences that a search asks for. 0 to 1,000; default: 6. */
  prefTopK?: number;
  /** How it searches; its own server only. Default: `"fast"`. */
  mode?: "fast" | "fine" | "mixture";
  /** How it reads what is added; its own server only. Default: `"fine"`. */
  addMode?: "fast" | "fine";
  /** Whether it answers an add before it is through with it. Default: `"async"`. */
  asyncMode?: "async" | "sync";
  /** How long a search may take, in milliseconds. 1 to 3,600,000; default: 3,000. */
  timeoutMs?: number;
}

/** How Mem0 is spoken to, for agents whose `provider` is `"mem0"`. */
export interface Mem0Config {
  /** Which interface: `https://api.mem0.ai` or the open-source server. Default: `"platform"`. */
  api?: "platform" | "oss";
  /** Memories that a search asks for. 1 to 1,000; default: 10. */
  topK?: number;
  /** Score from which on Mem0 answers with a memory. 0 to 1; default: 0.1. */
  threshold?: number;
  /** Whether the platform sorts its answer again with a model of its own. Default: false. */
  rerank?: boolean;
  /** Messages before the first new one that a session's end sends along. 0 to 1,000; default: 10. */
  contextMessages?: number;
  /** How long a search may take, in milliseconds. 1 to 3,600,000; default: 3,000. */
  timeoutMs?: number;
}
