import type { ProviderTransport } from "../host.js";
import { type TransportOptions, transport } from "./transport.js";

/** Mem0's platform, or a server of your own. */
export interface Mem0Options extends Omit<TransportOptions, "baseUrl"> {
  /** Without it, the platform: `https://api.mem0.ai`. */
  baseUrl?: string | undefined;
}

/**
 * Mem0 for `Siltstone.create({ providers: { mem0: mem0({ … }) } })`. An add that is sent again
 * carries the same `Idempotency-Key`; a server that does not heed it may store it twice.
 */
export function mem0(options: Mem0Options): ProviderTransport {
  const { baseUrl = "https://api.mem0.ai", ...rest } = options;
  return transport("Mem0", "Token", { baseUrl, ...rest });
}
