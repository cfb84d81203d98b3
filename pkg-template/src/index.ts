export type { AgentConfig, SiltstoneConfig } from "./config.js";
export { type ErrorCode, type ErrorOptions, SiltstoneError } from "./errors.js";
export type {
  Cache,
  Counter,
  Embed,
  EmbedOptions,
  Host,
  Llm,
  LlmRequest,
  LogEvent,
  ProviderAnswer,
  ProviderRequest,
  Providers,
  ProviderTransport,
  Store,
  StoreBatch,
  StoredEntry,
  StoredValue,
  StoreRange,
  VectorItem,
  VectorOptions,
  VectorQuery,
  VectorStore,
} from "./host.js";
export type { LifeConfig } from "./life-config.js";
export type { Memories } from "./memories.js";
export type * from "./memory.js";
export type * from "./messages.js";
export type * from "./outbox.js";
export type { Mem0Config, MemosConfig } from "./provider-config.js";
export type * from "./requests.js";
export { Siltstone, type SiltstoneOptions } from "./siltstone.js";
export type { Tracer } from "./tracer.js";
export type { ImportReport, Lines } from "./transfer.js";
export type { Vocabulary, VocabularyFile } from "./vocabularies.js";
