/** A column of a view: its name, the field of the record, and its type. */
export type Column = [name: string, field: string, type: "text" | "integer" | "real" | "boolean"];

/** What the view `siltstone_memories` shows of a memory. */
export const MEMORY: Column[] = [
  ["id", "id", "text"],
  ["content", "content", "text"],
  ["category", "category", "text"],
  ["importance", "importance", "integer"],
  ["scope", "scope", "text"],
  ["agent", "agentId", "text"],
  ["session", "sessionId", "text"],
  ["is_valid", "isValid", "boolean"],
  ["is_pinned", "isPinned", "boolean"],
  ["version", "version", "integer"],
  ["observed_at_ms", "observedAt", "integer"],
  ["created_at_ms", "createdAt", "integer"],
  ["kind", "kind", "text"],
  ["source", "source", "text"],
  ["tier", "tier", "text"],
  ["temperature", "temperature", "text"],
  ["weight", "weight", "real"],
  ["access_count", "accessCount", "integer"],
  ["last_access_at_ms", "lastAccessAt", "integer"],
  ["forgotten_at_ms", "forgottenAt", "integer"],
  ["expires_at_ms", "expiresAt", "integer"],
  ["is_sensitive", "isSensitive", "boolean"],
  ["previous_id", "previousId", "text"],
  ["next_id", "nextId", "text"],
];

/** What the view `siltstone_messages` shows of a message. */
export const MESSAGE: Column[] = [
  ["id", "id", "text"],
  ["role", "role", "text"],
  ["content", "content", "text"],
  ["created_at_ms", "createdAt", "integer"],
  ["meta", "meta", "text"],
];
