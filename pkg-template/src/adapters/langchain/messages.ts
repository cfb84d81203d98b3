import {
  type BaseMessage,
  mapStoredMessagesToChatMessages,
  type StoredMessage,
} from "@langchain/core/messages";
import { SiltstoneError } from "../../errors.js";
import type { Message } from "../../messages.js";
import { isRecord, mapFields, parsed, same, storable } from "../plain.js";

type Data = Record<string, unknown>;

interface Loose {
  id?: string;
  role: string;
  name?: string;
  content?: unknown;
  tool_calls?: readonly unknown[];
  tool_call_id?: string;
  meta?: unknown;
}

const ROLES: Record<string, string> = {
  system: "system",
  human: "user",
  ai: "assistant",
  tool: "tool",
  function: "tool",
};
const SPOKEN = new Set(["system", "developer", "user", "assistant"]);

/**
 * Siltstone's messages of LangChain's. What OpenAI's shape has no place for, such as artifacts and
 * what a model used, is kept in `meta`.
 */
export function fromLangChain(messages: readonly BaseMessage[]): Message[] {
  return messages.map((message) => {
    const { type, data } = storable(message.toDict()) as { type: string; data: Data };
    if (type === "remove") {
      const expected = "a message of a conversation";
      throw new SiltstoneError("invalid_input", `messages: expected ${expected}, got a removal`, {
        path: "messages",
        details: { expected },
      });
    }
    const stored = { ...plainMessage(type, data) };
    if (same(toStored(stored), { type, data })) {
      return stored as Message;
    }
    const { content: _, id: __, ...rest } = data;
    return { ...stored, meta: { langchain: { type, data: rest } } } as Message;
  });
}

/** LangChain's messages of Siltstone's, whoever stored them. */
export function toLangChain(messages: readonly Message[]): BaseMessage[] {
  return mapStoredMessagesToChatMessages(
    messages.map((message) => toStored(message as Loose) as unknown as StoredMessage),
  );
}

function plainMessage(type: string, data: Data): Loose {
  const given = String(data.role);
  const role = ROLES[type] ?? (SPOKEN.has(given) ? given : "user");
  const name = data.name ?? (role === given || type !== "generic" ? undefined : given);
  const calls = Array.isArray(data.tool_calls) ? (data.tool_calls as Data[]) : [];
  return mapFields(
    {
      id: data.id,
      role,
      name,
      content: data.content,
      tool_calls: calls.length > 0 ? calls.map(openAiCall) : undefined,
      tool_call_id: data.tool_call_id ?? (type === "function" ? data.name : undefined),
    },
    (field) => field,
  ) as unknown as Loose;
}

function openAiCall({ id, name, args }: Data): object {
  const named = { name, arguments: JSON.stringify(args ?? {}) };
  return { id: id ?? name, type: "function", function: named };
}

function toStored({ id, role, name, content, tool_calls = [], tool_call_id, meta }: Loose): Data {
  const text = content ?? "";
  const kept = isRecord(meta) ? meta.langchain : undefined;
  if (isRecord(kept)) {
    const data = mapFields({ ...(kept.data as Data), content: text, id }, (field) => field);
    return { type: kept.type, data };
  }
  const common = { content: text, id, name, additional_kwargs: {}, response_metadata: {} };
  switch (role) {
    case "system":
      return { type: "system", data: common };
    case "developer": {
      // The name under which LangChain's OpenAI models keep this role.
      const additional_kwargs = { __openai_role__: "developer" };
      return { type: "system", data: { ...common, additional_kwargs } };
    }
    case "assistant": {
      const calls = (tool_calls as Data[]).map(langChainCall);
      return { type: "ai", data: { ...common, tool_calls: calls, invalid_tool_calls: [] } };
    }
    case "tool":
      return { type: "tool", data: { ...common, tool_call_id } };
    default:
      return { type: "human", data: common };
  }
}

function langChainCall({ id, function: named, custom }: Data): object {
  const { name, arguments: args, input } = (named ?? custom) as Record<string, string>;
  return { id, name, args: args === undefined ? { input } : parsed(args), type: "tool_call" };
}
