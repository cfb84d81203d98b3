import type { Embed } from "../host.js";
import { askJson, type Service } from "../http.js";
import { failure, Ways } from "../llm/answer.js";
import { address, expect } from "../options.js";
import { inBatches, vectorOf } from "./batches.js";

/** A server that speaks OpenAI's embeddings API. */
export interface OpenAiEmbedOptions {
  /** The address up to and without `/embeddings`, such as `https://api.openai.com/v1`. */
  baseUrl: string;
  /** Sent as the bearer token; not needed by most local servers. */
  apiKey?: string | undefined;
  /** Such as `text-embedding-3-small`. */
  model: string;
  /** The length of the vectors, for models that can shorten them. */
  dimensions?: number | undefined;
  /** Texts in one request at most, 128 without it. */
  batchSize?: number | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
}

/**
 * An embedder for `Siltstone.create`. It asks for base64, a quarter of the bytes, and takes lists
 * of numbers from servers that do not know it.
 */
export function openAiEmbed(options: OpenAiEmbedOptions): Embed {
  const { baseUrl, apiKey, model, dimensions, batchSize = 128, fetch } = options;
  const url = `${address(baseUrl, apiKey)}/embeddings`;
  expect("model", typeof model === "string" && model !== "", "the name of a model");
  expect("batchSize", Number.isInteger(batchSize) && batchSize > 0, "a whole number above 0");
  const service: Service = {
    who: "the embeddings server",
    code: "llm_failed",
    secret: apiKey,
    fetch,
  };
  const formats = new Ways({ encoding_format: "base64" }, {});
  return (texts, { timeoutMs, signal }) =>
    inBatches(texts, batchSize, (input) =>
      formats.ask(async (format) => {
        const answered = await askJson(service, {
          url,
          method: "POST",
          headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {},
          body: { model, input, ...(dimensions && { dimensions }), ...format },
          repeat: "always",
          timeoutMs,
          signal,
        });
        return vectors(answered);
      }),
    );
}

/** The vectors in the order of the texts, which `index` tells and the order of the list need not. */
function vectors(body: unknown): Float32Array[] {
  const { data } = (body ?? {}) as { data?: unknown };
  if (!Array.isArray(data)) {
    throw failure("malformed", "the embeddings server answered no list of vectors");
  }
  const items = data as { index?: number; embedding?: unknown }[];
  return items
    .map(({ index, embedding }, at) => ({ index: index ?? at, embedding }))
    .sort((a, b) => a.index - b.index)
    .map(({ embedding }) =>
      typeof embedding === "string" ? decoded(embedding) : vectorOf(embedding),
    );
}

/** 32-bit floats in base64, little-endian whatever the machine. */
function decoded(base64: string): Float32Array {
  let text: string;
  try {
    text = atob(base64);
  } catch (cause) {
    throw failure("malformed", "the embeddings server answered broken base64", { cause });
  }
  // Loops: `from` with a function takes ten times as long, at every memory and every question.
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    bytes[at] = text.charCodeAt(at);
  }
  const view = new DataView(bytes.buffer);
  const values = new Float32Array(Math.floor(text.length / 4));
  for (let at = 0; at < values.length; at += 1) {
    values[at] = view.getFloat32(at * 4, true);
  }
  return vectorOf(values);
}
