import type { LanguageModelMiddleware } from "ai";
import type { Message } from "../../messages.js";
import { mapFields, parsed, storable } from "../plain.js";
import type { Part } from "./messages.js";

type WrapStream = NonNullable<LanguageModelMiddleware["wrapStream"]>;
type WrapGenerate = NonNullable<LanguageModelMiddleware["wrapGenerate"]>;

/** One piece of a model's streamed answer. */
export type StreamPart =
  Awaited<ReturnType<WrapStream>>["stream"] extends ReadableStream<infer Piece> ? Piece : never;
type Content = Awaited<ReturnType<WrapGenerate>>["content"][number];

/** What a model answers, collected from a whole answer or piece by piece. */
export class Answer {
  readonly #parts: Part[] = [];
  /** Texts and reasoning that are still being said, by their id in the stream. */
  readonly #open = new Map<string, Part>();
  readonly #sources: unknown[] = [];
  /** Whether the model came to its end. */
  isComplete = false;

  static of(content: readonly Content[]): Answer {
    const answer = new Answer();
    for (const part of content) {
      answer.#take(part);
    }
    answer.isComplete = true;
    return answer;
  }

  add(part: StreamPart): void {
    switch (part.type) {
      case "text-start":
      case "reasoning-start": {
        const type = part.type === "text-start" ? "text" : "reasoning";
        const opened = { type, text: "", ...options(part) };
        this.#open.set(`${type} ${part.id}`, opened);
        this.#parts.push(opened);
        break;
      }
      case "text-delta":
      case "reasoning-delta":
      case "text-end":
      case "reasoning-end": {
        const [type = ""] = part.type.split("-");
        const open = this.#open.get(`${type} ${part.id}`);
        if (open !== undefined) {
          open.text = `${open.text}${"delta" in part ? part.delta : ""}`;
          Object.assign(open, options(part));
        }
        break;
      }
      case "finish":
        this.isComplete = part.finishReason.unified !== "error";
        break;
      default:
        this.#take(part as Content);
    }
  }

  /** Whether it asks for tools that the caller has to run: then the turn goes on. */
  get isWaiting(): boolean {
    const isCall = ({ type, providerExecuted }: Part) =>
      type === "tool-call" && providerExecuted !== true;
    return this.isComplete && this.#parts.some(isCall);
  }

  /** The answer as a message; `null` if nothing was said. */
  message(): Message | null {
    // A call that broke off has no result and would keep what was said out of every later turn.
    const kept = this.#parts.filter(
      ({ type, text }) => text !== "" && (this.isComplete || type === "text"),
    );
    const [only] = kept;
    if (only === undefined) {
      return null;
    }
    const isText = kept.length === 1 && only.type === "text" && !("providerOptions" in only);
    const meta = {
      ...(this.#sources.length > 0 && { sources: this.#sources }),
      ...(!this.isComplete && { incomplete: true }),
    };
    return {
      role: "assistant",
      content: isText ? only.text : kept,
      ...(Object.keys(meta).length > 0 && { meta }),
    } as Message;
  }

  #take(part: Content): void {
    switch (part.type) {
      case "tool-call": {
        const { toolCallId, toolName, input, providerExecuted } = part;
        const call = { type: part.type, toolCallId, toolName, input: parsed(input || "{}") };
        this.#keep({ ...call, providerExecuted, ...options(part) });
        break;
      }
      case "tool-result": {
        const { toolCallId, toolName, result, isError } = part;
        const output = { type: isError ? "error-json" : "json", value: result };
        this.#keep({ type: part.type, toolCallId, toolName, output, ...options(part) });
        break;
      }
      case "source":
        this.#sources.push(storable(part));
        break;
      case "text":
      case "reasoning":
      case "custom":
      case "file":
      case "reasoning-file": {
        const { providerMetadata: _, ...rest } = part;
        this.#keep({ ...rest, ...options(part) });
        break;
      }
      case "tool-approval-request":
        this.#keep(part as Part);
        break;
      default:
      // Warnings, raw chunks, pings and the like are not part of what was said.
    }
  }

  #keep(part: Record<string, unknown>): void {
    this.#parts.push(mapFields(part, storable) as Part);
  }
}

/** What a provider said of a part, as a later request takes it. */
function options({ providerMetadata }: { providerMetadata?: unknown }): object {
  return providerMetadata === undefined ? {} : { providerOptions: storable(providerMetadata) };
}
