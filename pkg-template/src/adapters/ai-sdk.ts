export { type CallOptions, type MemoryOptions, siltstoneMemory } from "./ai-sdk/memory.js";
export { fromModelMessages, toModelMessages } from "./ai-sdk/messages.js";
export { fromUIMessages, toUIMessages } from "./ai-sdk/ui.js";
