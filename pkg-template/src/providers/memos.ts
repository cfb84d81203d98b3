import type { ProviderTransport } from "../host.js";
import { expect } from "../options.js";
import { type TransportOptions, transport } from "./transport.js";

/** A MemOS server. */
export interface MemosOptions extends TransportOptions {
  /**
   * Of your own server, such as `http://localhost:8000/product`; of the cloud,
   * `https://memos.memtensor.cn/api/openmem/v1`.
   */
  baseUrl: string;
  /** Which of its two APIs is spoken there, as in `config.memos.api`; `self_hosted` without it. */
  api?: "self_hosted" | "cloud" | undefined;
}

/** MemOS for `Siltstone.create({ providers: { memos: memos({ … }) } })`. */
export function memos(options: MemosOptions): ProviderTransport {
  const { api = "self_hosted", apiKey } = options;
  expect("api", api === "self_hosted" || api === "cloud", "`self_hosted` or `cloud`");
  expect("apiKey", api === "self_hosted" || Boolean(apiKey), "a key of MemOS's cloud");
  const scheme = api === "cloud" ? "Token" : "Bearer";
  return transport("MemOS", apiKey ? { authorization: `${scheme} ${apiKey}` } : {}, options);
}
