import type { ProviderTransport } from "../host.js";
import { exchange, type Service } from "../http.js";
import { address } from "../options.js";

/** Where a memory service is, and how to get in. */
export interface TransportOptions {
  /** Where the service's paths begin. */
  baseUrl: string;
  apiKey?: string | undefined;
  /** More headers, such as those of a gateway in front of it. */
  headers?: Record<string, string> | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

/**
 * Carries the core's requests to a memory service. Every status is an answer; 429, 5xx and faults
 * of the network are tried again first, if the request does no harm twice or carries an idempotency
 * key.
 */
export function transport(
  who: string,
  credentials: Record<string, string | undefined>,
  { baseUrl, apiKey, headers, fetch }: TransportOptions,
): ProviderTransport {
  const root = address(baseUrl, apiKey);
  const service: Service = { who, code: "service_failed", secret: apiKey, fetch };
  return async ({ method, path, body, isIdempotent, idempotencyKey, timeoutMs, signal }) => {
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
      isRepeatable: isIdempotent || idempotencyKey !== undefined,
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
