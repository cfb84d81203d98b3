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

/** Mem0 for `Siltstone.create({ providers: { mem0: mem0({ … }) } })`. */
export function mem0(options: Mem0Options): ProviderTransport {
  const { api = "platform", baseUrl = PLATFORM, apiKey } = options;
  expect("api", api === "platform" || api === "oss", "`platform` or `oss`");
  expect("baseUrl", api === "platform" || baseUrl !== PLATFORM, "the address of your server");
  expect("apiKey", api === "oss" || Boolean(apiKey), "a key of Mem0's platform");
  const [name, scheme] =
    api === "oss" ? (["x-api-key", ""] as const) : (["authorization", "Token "] as const);
  return transport("Mem0", apiKey ? { [name]: `${scheme}${apiKey}` } : {}, { ...options, baseUrl });
}
