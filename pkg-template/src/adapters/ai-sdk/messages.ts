import type { ModelMessage } from "ai";
import type { Message } from "../../messages.js";
import { dataUrl, isRecord, parsed, storable } from "../plain.js";

/** A part of a message, in the AI SDK's or OpenAI's shape. */
export type Part = Record<string, unknown> & { type: string };

/** What is read of a message here: the AI SDK's parts are kept in `content` as they are. */
interface Loose {
  role: string;
  content?: unknown;
  tool_calls?: readonly unknown[];
  tool_call_id?: string;
  providerOptions?: unknown;
}

/** Siltstone's messages of the AI SDK's; bytes are kept as base64 and URLs as text. */
export function fromModelMessages(messages: readonly ModelMessage[]): Message[] {
  return messages.map(
    (message) => ({ ...(storable(message) as object), ...contentOf(message) }) as Message,
  );
}

/**
 * The AI SDK's messages of a turn, or of any messages of Siltstone, those in OpenAI's shape
 * included. Tool results within an assistant's message go into a tool message behind it, except
 * those that the provider itself made.
 *
 * A turn holds system messages, which the SDK takes with `allowSystemInMessages`.
 *
 * @example
 * ```ts
 * import { generateText } from "ai";
 * import { Siltstone } from "siltstone";
 * import { fromModelMessages, toModelMessages } from "siltstone/adapters/ai-sdk";
 * import { memoryHost } from "siltstone/hosts/memory";
 *
 * const memory = await Siltstone.create({ host: memoryHost() });
 * const scope = { user: "ana", session: "monday" };
 * const turn = await memory.load({ scope, message: "I'm Ana.", system: "Be brief." });
 * const { response } = await generateText({
 *   model,
 *   messages: toModelMessages(turn),
 *   allowSystemInMessages: true,
 * });
 * const user = { role: "user", content: "I'm Ana." };
 * await memory.append(scope, [user, ...fromModelMessages(response.messages)]);
 * ```
 */
export function toModelMessages(
  source: { messages: readonly Message[] } | readonly Message[],
): ModelMessage[] {
  const messages = "messages" in source ? source.messages : source;
  const names = new Map<string, string>();
  return messages.flatMap((message) => modelMessages(message as Loose, names)) as ModelMessage[];
}

/** The parts of a content that is a list; a text is one part. */
export function partsOf(content: unknown): Part[] {
  if (typeof content === "string") {
    return content === "" ? [] : [{ type: "text", text: content }];
  }
  return Array.isArray(content) ? (content as Part[]) : [];
}

/** What a stored message says, calls and results of tools included, as parts of the AI SDK. */
export function storedParts(message: Message): Part[] {
  const loose = message as Loose;
  if (loose.role === "tool") {
    return toolParts(loose, new Map());
  }
  const parts = partsOf(loose.content).map((part) => (isOpenAi(part) ? modelPart(part) : part));
  return [...parts, ...(loose.tool_calls ?? []).map(callPart)];
}

function isOpenAi(part: Part): boolean {
  return ["refusal", "image_url", "input_audio"].includes(part.type) || "file" in part;
}

function contentOf({ content }: ModelMessage): { content: unknown } {
  return { content: typeof content === "string" ? content : content.map(storedPart) };
}

function storedPart(part: object): unknown {
  const stored = storable(part) as Part;
  // A URL alone would come back as base64.
  const isUrl = "data" in part && part.data instanceof URL;
  return isUrl ? { ...stored, data: { type: "url", url: stored.data } } : stored;
}

function modelMessages(message: Loose, names: Map<string, string>): object[] {
  const { role, content, providerOptions } = message;
  const options = providerOptions === undefined ? {} : { providerOptions };
  switch (role) {
    case "system":
    case "developer": {
      const texts = partsOf(content).map(({ text }) => text);
      return [{ role: "system", content: texts.join("\n"), ...options }];
    }
    case "user":
      return [
        {
          role,
          content: typeof content === "string" ? content : partsOf(content).map(modelPart),
          ...options,
        },
      ];
    case "tool":
      return [{ role, content: toolParts(message, names), ...options }];
    default:
      return assistantMessages(message, names).map((made) => ({ ...made, ...options }));
  }
}

function assistantMessages(message: Loose, names: Map<string, string>): object[] {
  const { content, tool_calls: calls = [] } = message;
  if (typeof content === "string" && calls.length === 0) {
    return [{ role: "assistant", content }];
  }
  const parts = [...partsOf(content).map(modelPart), ...calls.map(callPart)];
  const byProvider = new Set<unknown>();
  for (const { type, toolCallId, toolName, providerExecuted } of parts) {
    if (type === "tool-call") {
      names.set(String(toolCallId), String(toolName));
      if (providerExecuted === true) {
        byProvider.add(toolCallId);
      }
    }
  }
  const made: { role: string; content: Part[] }[] = [];
  for (const part of parts) {
    const isResult = part.type === "tool-result" && !byProvider.has(part.toolCallId);
    const role = isResult ? "tool" : "assistant";
    const last = made.at(-1);
    if (last?.role === role) {
      last.content.push(part);
    } else {
      made.push({ role, content: [part] });
    }
  }
  return made.length > 0 ? made : [{ role: "assistant", content: [] }];
}

function toolParts(message: Loose, names: Map<string, string>): Part[] {
  const { content, tool_call_id: toolCallId } = message;
  if (toolCallId === undefined) {
    return partsOf(content).map(modelPart);
  }
  const value = partsOf(content)
    .map(({ text }) => text)
    .join("\n");
  const toolName = names.get(toolCallId) ?? "unknown";
  return [{ type: "tool-result", toolCallId, toolName, output: { type: "text", value } }];
}

/** A call in OpenAI's shape as a part of the AI SDK. */
function callPart(call: unknown): Part {
  const { id, function: named, custom } = call as Record<string, Record<string, string>>;
  const input = named ? parsed(named.arguments ?? "{}") : custom?.input;
  const toolName = (named ?? custom)?.name;
  return { type: "tool-call", toolCallId: id, toolName, input };
}

/** A stored part as the AI SDK takes it: OpenAI's shapes are turned, and URLs are URLs again. */
function modelPart(part: Part): Part {
  switch (part.type) {
    case "text":
    case "reasoning": {
      const { state: _, ...rest } = part;
      return rest as Part;
    }
    case "refusal":
      return { type: "text", text: part.refusal };
    case "image_url": {
      const { url } = part.image_url as { url: string };
      return { type: "file", mediaType: dataUrl(url)?.mediaType || "image", data: fileData(url) };
    }
    case "input_audio": {
      const { data, format } = part.input_audio as Record<string, string>;
      const mediaType = format === "mp3" ? "audio/mpeg" : `audio/${format}`;
      return { type: "file", mediaType, data: { type: "data", data } };
    }
    case "file":
      return "file" in part ? openAiFile(part.file as Record<string, string>) : revived(part);
    default:
      return revived(part);
  }
}

function openAiFile({ file_data: data, file_id: id, filename }: Record<string, string>): Part {
  const name = filename === undefined ? {} : { filename };
  const mediaType = dataUrl(data ?? "")?.mediaType || "application/octet-stream";
  return id === undefined
    ? { type: "file", mediaType, data: fileData(data ?? ""), ...name }
    : { type: "file", mediaType, data: { type: "reference", reference: { openai: id } }, ...name };
}

/** Where a file is: in the URL itself, or behind it. */
export function fileData(url: string): object {
  const data = dataUrl(url)?.data;
  if (data !== undefined) {
    return { type: "data", data };
  }
  return URL.canParse(url) ? { type: "url", url: new URL(url) } : { type: "data", data: url };
}

/** URLs of files were kept as text; what a tool was asked and answered as JSON is left as it is. */
function revived(part: Part): Part {
  const { data, output } = part;
  if (isRecord(data) && data.type === "url") {
    return { ...part, data: { ...data, url: new URL(String(data.url)) } };
  }
  if (isRecord(output) && output.type === "content" && Array.isArray(output.value)) {
    return { ...part, output: { ...output, value: output.value.map(revived) } };
  }
  return part;
}
