import type { UIMessage } from "ai";
import type { Message } from "../../messages.js";
import { isRecord, mapFields, same } from "../plain.js";
import { type Part, storedParts } from "./messages.js";

type Loose = Record<string, unknown>;

/**
 * Siltstone's messages of the AI SDK's for user interfaces, one for each, under the same id. What a
 * model is not shown, such as metadata, data parts and sources, is kept in `meta`. A message with an
 * id is stored once: append an assistant's message when it is complete.
 */
export function fromUIMessages(messages: readonly UIMessage[]): Message[] {
  return messages.map((message) => {
    const { id, role, parts } = message;
    const content = blocks(parts as readonly Part[]).flatMap(blockContent);
    const stored = { id, role, content } as unknown as Message;
    const [back] = toUIMessages([stored]);
    return same(back, message) ? stored : { ...stored, meta: { uiMessage: message } };
  });
}

/**
 * Messages of a session for the user interface. What a model and its tools said one after the other,
 * as {@link siltstoneMemory} stores it, is one message with a step for each of the model's answers.
 */
export function toUIMessages(messages: readonly Message[]): UIMessage[] {
  const shown: Loose[] = [];
  let afterTool = false;
  for (const message of messages) {
    const original = isRecord(message.meta) ? message.meta.uiMessage : undefined;
    const last = shown.at(-1);
    if (original !== undefined) {
      shown.push(original as Loose);
    } else if (message.role === "tool" || (message.role === "assistant" && afterTool)) {
      if (last?.role === "assistant") {
        addParts(last.parts as Part[], message);
      }
    } else {
      const role = message.role === "developer" ? "system" : message.role;
      const parts: Part[] = [];
      addParts(parts, message);
      shown.push({ id: message.id ?? "", role, parts });
    }
    afterTool = message.role === "tool";
  }
  return shown as unknown as UIMessage[];
}

function blocks(parts: readonly Part[]): Part[][] {
  const made: Part[][] = [[]];
  for (const part of parts) {
    if (part.type === "step-start") {
      made.push([]);
    } else {
      made.at(-1)?.push(part);
    }
  }
  return made;
}

/** What a model is shown of one step: what it said and called, then what its tools answered. */
function blockContent(block: readonly Part[]): Part[] {
  return [...block.flatMap(said), ...block.flatMap(answered)];
}

function said(part: Part): Part[] {
  const { type, providerMetadata, callProviderMetadata, url, ...rest } = part;
  switch (type) {
    case "text":
    case "reasoning":
    case "custom":
      return [fields({ type, ...rest, providerOptions: providerMetadata })];
    case "file":
    case "reasoning-file": {
      const { providerReference: reference, ...file } = rest;
      const data =
        reference === undefined ? { type: "url", url } : { type: "reference", reference };
      return [fields({ type, ...file, data, providerOptions: providerMetadata })];
    }
    default:
      if (!isTool(part) || part.state === "input-streaming") {
        return [];
      }
  }
  const { toolCallId, input, rawInput, providerExecuted } = part;
  const call = { toolCallId, toolName: toolName(part), input: input ?? rawInput ?? {} };
  return [
    fields({ type: "tool-call", ...call, providerExecuted, providerOptions: callProviderMetadata }),
  ];
}

function answered(part: Part): Part[] {
  const output = isTool(part) ? outputOf(part) : undefined;
  if (output === undefined) {
    return [];
  }
  const { toolCallId, resultProviderMetadata: providerOptions } = part;
  return [
    fields({
      type: "tool-result",
      toolCallId,
      toolName: toolName(part),
      output,
      providerOptions,
    }),
  ];
}

function outputOf(part: Part): object | undefined {
  const { state, output, errorText, approval } = part;
  switch (state) {
    case "output-available":
      return typeof output === "string"
        ? { type: "text", value: output }
        : { type: "json", value: output ?? null };
    case "output-error":
      return { type: "error-text", value: errorText };
    case "output-denied":
      return fields({ type: "execution-denied", reason: (approval as Loose | undefined)?.reason });
    default:
      return undefined;
  }
}

/** Adds what a stored message says to the parts of a message for the user interface. */
function addParts(parts: Part[], message: Message): void {
  if (message.role === "assistant") {
    parts.push({ type: "step-start" });
  }
  let answered = false;
  for (const part of storedParts(message)) {
    if (part.type === "tool-result") {
      const at = parts.findIndex(({ toolCallId }) => toolCallId === part.toolCallId);
      const call = parts[at];
      if (call !== undefined) {
        parts[at] = fields({ ...call, ...outcome(part) });
        answered ||= call.providerExecuted !== true;
      }
    } else {
      // What the model says on its tools' answers is its next step.
      if (answered) {
        parts.push({ type: "step-start" });
        answered = false;
      }
      parts.push(...shownPart(part));
    }
  }
}

function shownPart(part: Part): Part[] {
  const { type, providerOptions: providerMetadata, data, ...rest } = part;
  switch (type) {
    case "text":
    case "reasoning":
    case "custom":
      return [fields({ type, ...rest, providerMetadata })];
    case "file":
    case "reasoning-file":
      return [fields({ type, ...rest, ...place(data, String(part.mediaType)), providerMetadata })];
    case "tool-call": {
      const { toolCallId, toolName, input, providerExecuted } = rest;
      const call = { toolCallId, state: "input-available", input, providerExecuted };
      return [
        fields({ type: `tool-${toolName}`, ...call, callProviderMetadata: providerMetadata }),
      ];
    }
    default:
      return [];
  }
}

function place(data: unknown, mediaType: string): Loose {
  const tagged = isRecord(data) ? data : { type: "data", data };
  switch (tagged.type) {
    case "url":
      return { url: String(tagged.url) };
    case "reference":
      return { url: "", providerReference: tagged.reference };
    case "text":
      return { url: `data:${mediaType},${encodeURIComponent(String(tagged.text))}` };
    default:
      return { url: `data:${mediaType};base64,${tagged.data}` };
  }
}

function outcome({ output, providerOptions: resultProviderMetadata }: Part): Loose {
  const { type, value, reason } = isRecord(output) ? output : { type: "json", value: output };
  switch (type) {
    case "error-text":
      return { state: "output-error", errorText: value, resultProviderMetadata };
    case "error-json":
      return { state: "output-error", errorText: JSON.stringify(value), resultProviderMetadata };
    case "execution-denied":
      return { state: "output-denied", approval: fields({ id: "", approved: false, reason }) };
    default:
      return { state: "output-available", output: value, resultProviderMetadata };
  }
}

function isTool({ type }: Part): boolean {
  return type.startsWith("tool-") || type === "dynamic-tool";
}

function toolName(part: Part): unknown {
  return part.type === "dynamic-tool" ? part.toolName : part.type.slice("tool-".length);
}

/** The object without what is `undefined`. */
function fields(record: Loose): Part {
  return mapFields(record, (field) => field) as Part;
}
