import type { ProviderTransport } from "../host.js";
import { expect } from "../options.js";
import { type TransportOptions, transport } from "./transport.js";

/** Mem0's platform, or a server of your own. */
export interface Mem0Options extends Omit<TransportOptions, "baseUrl"> {
  /** Without it, the platform: `https://api.mem0.ai`. */
  baseUrl?: string | undefined;
  /** Which of its two APIs is spoken there, as in `config.mem0.api`; `platform` without it. */
  api?: "platform" | "oss" | undefined;
}

const PLATFORM = "https://api.mem0.ai";

/**
 * Mem0 for `Siltstone.create({ providers: { mem0: mem0({ … }) } })`. An add that is sent again
 * carries the same `Idempotency-Key`; a server that does not heed it may store it twice.
 */
export function mem0(options: Mem0Options): ProviderTransport {
  const { api = "platform", baseUrl = PLATFORM, apiKey } = options;
  expect("api", api === "platform" || api === "oss", "`platform` or `oss`");
  expect("baseUrl", api === "platform" || baseUrl !== PLATFORM, "the address of your server");
  expect("apiKey", api === "oss" || Boolean(apiKey), "a key of Mem0's platform");
  const headers = api === "oss" ? { "x-api-key": apiKey } : { authorization: `Token ${apiKey}` };
  return transport("Mem0", apiKey ? headers : {}, { ...options, baseUrl });
}
