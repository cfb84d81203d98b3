import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { Scope } from "../messages.js";
import { createMemoryServer, type Remembering } from "./server.js";

/**
 * Answers one request of MCP's Streamable HTTP, on any runtime with the web's `Request` and
 * `Response`. No session is kept between requests, so that any instance can answer any of them.
 *
 * The caller authenticates the request and says whose memories it may see. To keep web pages of
 * others out, check the `Origin` header too.
 *
 * @example
 * ```ts
 * import { Siltstone } from "siltstone";
 * import { cloudflareHost } from "siltstone/hosts/cloudflare";
 * import { handleMcp } from "siltstone/mcp";
 *
 * let memory;
 * export default {
 *   async fetch(request, env) {
 *     const user = env.USERS[request.headers.get("authorization")];
 *     if (user === undefined) {
 *       return new Response("Unauthorized", { status: 401 });
 *     }
 *     memory ??= await Siltstone.create({ host: cloudflareHost(env) });
 *     return handleMcp(request, memory, { user });
 *   },
 * };
 * ```
 */
export async function handleMcp(
  request: Request,
  memory: Remembering,
  scope: Scope,
): Promise<Response> {
  // Without sessions there is no stream to open and none to end.
  if (request.method !== "POST") {
    const error = { code: -32_000, message: "Method not allowed" };
    return Response.json(
      { jsonrpc: "2.0", error, id: null },
      { status: 405, headers: { allow: "POST" } },
    );
  }
  const server = createMemoryServer(memory, scope);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request);
  } finally {
    await server.close();
  }
}
