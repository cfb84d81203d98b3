import type { ProviderTransport } from "../host.js";
import { exchange, type Service } from "../http.js";
import { address } from "../options.js";

/** Where a memory service is, and how to get in. */
export interface TransportOptions {
  /** Where the service's paths begin. */
  baseUrl: string;
  apiKey?: string | undefined;
  /**
   * Whether the service, or a gateway in front of it, heeds `Idempotency-Key`, so that an add may be
   * sent again whatever became of the first. Neither MemOS nor Mem0 says that it does. Without it, a
   * lost add is left to the outbox, which looks first whether it arrived.
   */
  heedsIdempotencyKeys?: boolean | undefined;
  /** More headers, such as those of a gateway in front of it. */
  headers?: Record<string, string> | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

/**
 * Carries the core's requests to a memory service. Every status is an answer; 429, 5xx and faults of
 * the network are tried again first, if the request does no harm twice or carries an idempotency key
 * that the service heeds. One with a key that it may not heed is tried again after 429 alone.
 */
export function transport(
  who: string,
  credentials: Record<string, string>,
  { baseUrl, apiKey, headers, heedsIdempotencyKeys, fetch }: TransportOptions,
): ProviderTransport {
  const root = address(baseUrl, apiKey);
  const service: Service = { who, code: "service_failed", secret: apiKey, fetch };
  return async ({ method, path, body, isIdempotent, idempotencyKey, timeoutMs, signal }) => {
    const hasKey = idempotencyKey !== undefined;
    const doubtful = hasKey ? "refused" : "never";
    const { status, text } = await exchange(service, {
      url: `${root}${path}`,
      method,
      headers: {
        accept: "application/json",
        ...headers,
        ...credentials,
        ...(idempotencyKey && { "idempotency-key": idempotencyKey }),
      },
      body,
      repeat: isIdempotent || (hasKey && heedsIdempotencyKeys) ? "always" : doubtful,
      timeoutMs,
      signal,
    });
    return { status, body: content(text) };
  };
}

function content(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text === "" ? null : text;
  }
}
