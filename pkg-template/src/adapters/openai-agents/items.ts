import type { AgentInputItem } from "@openai/agents";
import type { Message } from "../../messages.js";
import { isRecord, mapFields, same, storable } from "../plain.js";

type Loose = Record<string, unknown>;

/**
 * Siltstone's messages of the Agents SDK's items. What the model says and calls before the next
 * result or message of the user is one message, so that calls and their results stay together.
 */
export function fromAgentItems(items: readonly AgentInputItem[]): Message[] {
  const groups: Loose[][] = [];
  for (const item of items.map((item) => storable(item) as Loose)) {
    const last = groups.at(-1)?.[0];
    if (last !== undefined && isModels(last) && isModels(item)) {
      groups.at(-1)?.push(item);
    } else {
      groups.push([item]);
    }
  }
  return groups.map((group) => {
    const stored = plainMessage(group) as unknown as Message;
    return same(toAgentItems([stored]), group)
      ? stored
      : { ...stored, meta: { agentItems: group } };
  });
}

/** The Agents SDK's items of Siltstone's messages, whoever stored them. */
export function toAgentItems(messages: readonly Message[]): AgentInputItem[] {
  return messages.flatMap((message) => {
    const kept = isRecord(message.meta) ? message.meta.agentItems : undefined;
    return (
      Array.isArray(kept) ? kept : plainItems(message as unknown as Loose)
    ) as AgentInputItem[];
  });
}

function isModels(item: Loose): boolean {
  return item.role === undefined ? !isResult(item) : item.role === "assistant";
}

function isResult({ type }: Loose): boolean {
  return /_(result|output)$/.test(String(type));
}

function plainMessage(group: readonly Loose[]): Loose {
  const [first = {}] = group;
  if (isResult(first)) {
    const { name, callId, output } = first;
    return fields({ role: "tool", name, tool_call_id: callId, content: textOf(output) });
  }
  if (!isModels(first)) {
    return { role: first.role, content: storedContent(first.content) };
  }
  const texts = group.flatMap(({ content, role }) => (role ? asParts(content) : []));
  const parts = texts.map(storedPart);
  const [only] = parts;
  const isText = parts.length === 1 && only?.type === "text";
  const calls = group.filter(({ callId }) => typeof callId === "string").map(openAiCall);
  return fields({
    role: "assistant",
    content: isText ? only.text : parts.length > 0 ? parts : "",
    tool_calls: calls.length > 0 ? calls : undefined,
  });
}

function openAiCall({ type, callId, name, arguments: args, ...rest }: Loose): Loose {
  const { id: _, status: __, providerData: ___, ...action } = rest;
  const named = { name: name ?? type, arguments: args ?? JSON.stringify(action) };
  return { id: callId, type: "function", function: named };
}

function storedContent(content: unknown): unknown {
  return typeof content === "string" ? content : asParts(content).map(storedPart);
}

/** A part in OpenAI's chat shape where there is one, so that it is read and counted. */
function storedPart(part: Loose): Loose {
  switch (part.type) {
    case "input_text":
    case "output_text":
      return { type: "text", text: part.text };
    case "input_image":
      return typeof part.image === "string"
        ? { type: "image_url", image_url: fields({ url: part.image, detail: part.detail }) }
        : part;
    default:
      return part;
  }
}

function plainItems({ role, name, content, tool_calls, tool_call_id: callId }: Loose): Loose[] {
  switch (role) {
    case "tool": {
      const output = { type: "text", text: textOf(content) };
      const result = { type: "function_call_result", name: name ?? "", callId };
      return [{ ...result, status: "completed", output }];
    }
    case "assistant": {
      const parts = asParts(content).map(({ type, text, ...part }) =>
        type === "text" ? { type: "output_text", text } : { type, ...part },
      );
      const said = { type: "message", role, status: "completed", content: parts };
      const calls = Array.isArray(tool_calls) ? (tool_calls as Loose[]).map(itemOfCall) : [];
      return [...(parts.length > 0 ? [said] : []), ...calls];
    }
    case "user":
      return [{ type: "message", role, content: userContent(content) }];
    default:
      return [{ type: "message", role: "system", content: textOf(content) }];
  }
}

function userContent(content: unknown): unknown {
  if (typeof content === "string") {
    return content;
  }
  return asParts(content).map((part) => {
    switch (part.type) {
      case "text":
        return { type: "input_text", text: part.text };
      case "image_url": {
        const { url, detail } = part.image_url as Loose;
        return fields({ type: "input_image", image: url, detail });
      }
      case "input_audio":
        return { type: "audio", audio: part.input_audio };
      case "file": {
        const { file_id: id, file_data: data, filename } = part.file as Loose;
        return fields({ type: "input_file", file: id === undefined ? data : { id }, filename });
      }
      default:
        return part;
    }
  });
}

function itemOfCall({ id, function: named, custom }: Loose): Loose {
  const { name, arguments: args, input } = (named ?? custom) as Loose;
  const call = { type: "function_call", callId: id, name, status: "completed" };
  return { ...call, arguments: args ?? JSON.stringify({ input }) };
}

function asParts(content: unknown): Loose[] {
  if (Array.isArray(content)) {
    return content as Loose[];
  }
  return typeof content === "string" && content !== "" ? [{ type: "text", text: content }] : [];
}

/** What a tool answered, as text. */
function textOf(output: unknown): string {
  if (typeof output === "string") {
    return output;
  }
  const parts = Array.isArray(output) ? (output as Loose[]) : [output as Loose];
  return parts.map((part) => (isText(part) ? part.text : JSON.stringify(part ?? ""))).join("\n");
}

function isText(part: Loose | undefined): boolean {
  return typeof part?.text === "string";
}

function fields(record: Loose): Loose {
  return mapFields(record, (field) => field);
}
