import type { Llm, LlmRequest } from "../host.js";
import { askJson, type Service } from "../http.js";
import { address, expect } from "../options.js";
import { complete, Ways } from "./answer.js";

/** A server that speaks Anthropic's Messages API. */
export interface AnthropicOptions {
  apiKey: string;
  model: string;
  /** The address up to and without `/v1/messages`; without it, `https://api.anthropic.com`. */
  baseUrl?: string | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

interface Body {
  content?: { type: string; text?: string }[];
  stop_reason?: string | null;
}

const VERSION = "2023-06-01";

/**
 * A language model for `Siltstone.create`. JSON is asked for by a schema (`output_config`); a model
 * that does not know that is asked without it, which is remembered.
 */
export function anthropic(options: AnthropicOptions): Llm {
  const { baseUrl = "https://api.anthropic.com", apiKey, model, fetch } = options;
  const url = `${address(baseUrl, apiKey)}/v1/messages`;
  expect("apiKey", apiKey !== "", "a key");
  expect("model", typeof model === "string" && model !== "", "the name of a model");
  const service: Service = {
    who: "the language model's server",
    code: "llm_failed",
    secret: apiKey,
    fetch,
  };
  const formats = new Ways(true, false);
  return async ({ messages, json, schema, maxTokens, timeoutMs, signal }) => {
    const format = { type: "json_schema", schema: withoutLimits(schema) };
    const ask = async (withFormat: boolean) => {
      const answered = await askJson(service, {
        url,
        method: "POST",
        headers: { "x-api-key": apiKey, "anthropic-version": VERSION },
        body: {
          model,
          max_tokens: maxTokens,
          ...conversation(messages),
          ...(withFormat && { output_config: { format } }),
        },
        repeat: "always",
        timeoutMs,
        signal,
      });
      return answer(answered as Body | null, json);
    };
    return json && schema ? formats.ask(ask) : ask(false);
  };
}

/** The system text stands beside the messages, not among them. */
function conversation(messages: LlmRequest["messages"]) {
  const system = messages.filter(({ role }) => role === "system").map(({ content }) => content);
  return {
    ...(system.length > 0 && { system: system.join("\n\n") }),
    messages: messages.filter(({ role }) => role !== "system"),
  };
}

/** Limits of numbers, texts and lists are refused; the core checks them anyway. */
const LIMITS = new Set([
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
]);

function withoutLimits(schema: unknown): unknown {
  if (Array.isArray(schema)) {
    return schema.map(withoutLimits);
  }
  if (typeof schema !== "object" || schema === null) {
    return schema;
  }
  const kept = Object.entries(schema).filter(
    // A property may have such a name.
    ([name, value]) => !LIMITS.has(name) || typeof value === "object",
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutLimits(value)]));
}

function answer(body: Body | null, json: boolean): string {
  const reason = body?.stop_reason;
  const blocks = Array.isArray(body?.content) ? body.content : [];
  return complete(
    {
      text: blocks.map(({ type, text = "" }) => (type === "text" ? text : "")).join(""),
      isTruncated: reason === "max_tokens" || reason === "model_context_window_exceeded",
      refusal: reason === "refusal" ? "for safety" : undefined,
    },
    json,
  );
}
