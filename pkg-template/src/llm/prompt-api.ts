import type { Llm, LlmRequest } from "../host.js";
import { complete, failure } from "./answer.js";

/** What is used of the browser's `LanguageModel`. */
export interface LanguageModelApi {
  availability(options?: object): Promise<string>;
  create(options?: object): Promise<LanguageModelSession>;
}

/** What is used of a session of it. */
export interface LanguageModelSession {
  prompt(input: string, options?: object): Promise<string>;
  destroy(): void;
}

/** How the browser's language model is used. */
export interface PromptApiOptions {
  /**
   * Whether the model may be downloaded, several gigabytes, when it is first asked. A browser asks
   * for a user's gesture for it. Without it, the call fails until the model is there.
   */
  download?: boolean;
  /** Told how much of the model has been downloaded, from 0 to 1. */
  onProgress?: (loaded: number) => void;
  /** Languages of what is asked and answered, such as `en`, `ja`; some models demand it. */
  languages?: readonly string[];
  /** Replaces the global `LanguageModel`. */
  api?: LanguageModelApi;
}

interface Monitor {
  addEventListener(type: "downloadprogress", listener: (event: { loaded: number }) => void): void;
}

/**
 * The language model that is built into Chrome, for `Siltstone.create`. It runs on the device and
 * knows no token limit: an answer ends where the model ends it, or at the deadline.
 */
export function promptApi(options: PromptApiOptions = {}): Llm {
  const { download = false, onProgress, languages, api } = options;
  const text = [{ type: "text", ...(languages && { languages }) }];
  const core = { expectedInputs: text, expectedOutputs: text };
  return async ({ messages, json, schema, signal }) => {
    const model = api ?? (globalThis as { LanguageModel?: LanguageModelApi }).LanguageModel;
    const state = (await model?.availability(core)) ?? "unavailable";
    signal.throwIfAborted();
    if (!model || state === "unavailable") {
      throw failure("unavailable", "this browser has no built-in language model");
    }
    if (state !== "available" && !download) {
      throw failure("not_downloaded", `the browser's language model is not there yet: ${state}`);
    }
    const { initialPrompts, prompt } = conversation(messages);
    let session: LanguageModelSession | undefined;
    try {
      session = await model.create({
        ...core,
        ...(initialPrompts.length > 0 && { initialPrompts }),
        signal,
        monitor(monitor: Monitor) {
          monitor.addEventListener("downloadprogress", ({ loaded }) => onProgress?.(loaded));
        },
      });
      const constraint = json && schema ? { responseConstraint: schema } : {};
      const answered = await session.prompt(prompt, { signal, ...constraint });
      return complete({ text: answered, isTruncated: false }, json);
    } catch (error) {
      signal.throwIfAborted();
      throw told(error);
    } finally {
      session?.destroy();
    }
  };
}

/** Everything but the last message is what the session starts with. */
function conversation(messages: LlmRequest["messages"]) {
  return { initialPrompts: messages.slice(0, -1), prompt: messages.at(-1)?.content ?? "" };
}

function told(error: unknown): unknown {
  const { name, message } = error instanceof Error ? error : { name: "", message: String(error) };
  switch (name) {
    case "SiltstoneError":
      return error;
    case "QuotaExceededError":
      return failure("quota", "the text is longer than the browser's language model takes", {
        cause: error,
      });
    case "NotReadableError":
      return failure("refused", `the browser's language model refused: ${message}`, {
        cause: error,
      });
    case "NotAllowedError":
      return failure("not_downloaded", `the browser did not allow the download: ${message}`, {
        cause: error,
      });
    default:
      return failure("unavailable", `the browser's language model failed: ${message}`, {
        cause: error,
      });
  }
}
