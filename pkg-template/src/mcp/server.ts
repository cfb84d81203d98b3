import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import { SiltstoneError } from "../errors.js";
import type { Scope } from "../messages.js";
import type { Siltstone } from "../siltstone.js";
import { version } from "../version.js";
import { input, output, shown } from "./schemas.js";

/** What of an instance the tools use. */
export type Remembering = Pick<Siltstone, "memories" | "recall">;

const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
const ADDS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};
const SETS: ToolAnnotations = { ...ADDS, idempotentHint: true };
const DELETES: ToolAnnotations = { ...SETS, destructiveHint: true };

/**
 * An MCP server with tools for one person's memories: `remember`, `recall`, `list`, `update`, `pin`,
 * `unpin`, `forget`, `history` and `stats`. Whose memories they are is fixed here; no argument of a
 * tool can name someone else.
 *
 * @example
 * ```ts
 * import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
 * import { Siltstone } from "siltstone";
 * import { memoryHost } from "siltstone/hosts/memory";
 * import { createMemoryServer } from "siltstone/mcp";
 *
 * const memory = await Siltstone.create({ host: memoryHost() });
 * const server = createMemoryServer(memory, { user: "ana" });
 * await server.connect(new StdioServerTransport());
 * ```
 */
export function createMemoryServer(memory: Remembering, scope: Scope): McpServer {
  const server = new McpServer({ name: "siltstone", version });
  const memories = memory.memories(scope);

  server.registerTool(
    "remember",
    {
      title: "Remember",
      description:
        "Store one lasting fact about the user. What is known already is not stored twice, and what it contradicts is replaced and stays in the history.",
      inputSchema: input.remember,
      outputSchema: output.remember,
      annotations: ADDS,
    },
    ({ content, ...rest }) =>
      answer(async () => {
        const added = await memories.add({ content, ...defined(rest) });
        const { action, superseded, questions } = added;
        return { memory: shown(added.memory), action, superseded, questions };
      }),
  );
  server.registerTool(
    "recall",
    {
      title: "Recall",
      description: "Find what is remembered of the user that helps with a question, best first.",
      inputSchema: input.recall,
      outputSchema: output.recall,
      // Being recalled renews a memory; nothing of what it says changes.
      annotations: READS,
    },
    ({ query, ...rest }) =>
      answer(async () => {
        const { hits } = await memory.recall(scope, query, defined(rest));
        return { memories: hits.map(({ memory, score }) => ({ ...shown(memory), score })) };
      }),
  );
  server.registerTool(
    "list",
    {
      title: "List memories",
      description: "List all that is remembered of the user, newest first, page by page.",
      inputSchema: input.list,
      outputSchema: output.list,
      annotations: READS,
    },
    (options) =>
      answer(async () => {
        const page = await memories.list(defined(options));
        return { ...page, memories: page.memories.map(shown) };
      }),
  );
  server.registerTool(
    "update",
    {
      title: "Update a memory",
      description:
        "Change a memory. A new text makes a new version with an id of its own; the old one stays in the history.",
      inputSchema: input.update,
      outputSchema: output.memory,
      annotations: ADDS,
    },
    ({ id, expectedVersion, ...patch }) =>
      answer(async () => ({
        memory: shown(await memories.update(id, defined(patch), defined({ expectedVersion }))),
      })),
  );
  server.registerTool(
    "pin",
    {
      title: "Pin a memory",
      description: "Protect a memory and make it part of every turn.",
      inputSchema: input.id,
      outputSchema: output.memory,
      annotations: SETS,
    },
    ({ id }) => answer(async () => ({ memory: shown(await memories.pin(id)) })),
  );
  server.registerTool(
    "unpin",
    {
      title: "Unpin a memory",
      description: "Take the protection of a memory away.",
      inputSchema: input.id,
      outputSchema: output.memory,
      annotations: SETS,
    },
    ({ id }) => answer(async () => ({ memory: shown(await memories.unpin(id)) })),
  );
  server.registerTool(
    "forget",
    {
      title: "Forget a memory",
      description:
        "Take a memory out of every recall. With hard, the text of all its versions is deleted and cannot be brought back.",
      inputSchema: input.forget,
      outputSchema: output.forgotten,
      annotations: DELETES,
    },
    ({ id, hard = false }) => answer(async () => ({ ...(await memories.forget(id, { hard })) })),
  );
  server.registerTool(
    "history",
    {
      title: "History of a memory",
      description: "Show all versions of a memory, oldest first.",
      inputSchema: input.id,
      outputSchema: output.versions,
      annotations: READS,
    },
    ({ id }) =>
      answer(async () => ({ versions: (await memories.history(id)).versions.map(shown) })),
  );
  server.registerTool(
    "stats",
    {
      title: "Count memories",
      description: "Count what is remembered of the user, by its state.",
      inputSchema: input.none,
      outputSchema: output.stats,
      annotations: READS,
    },
    () => answer(async () => ({ ...(await memories.stats()) })),
  );
  return server;
}

/** The answer of a tool, as an object and as text; a fault with its code and the field it names. */
async function answer(work: () => Promise<Record<string, unknown>>): Promise<CallToolResult> {
  try {
    const structuredContent = await work();
    return { structuredContent, content: [text(structuredContent)] };
  } catch (error) {
    if (!(error instanceof SiltstoneError)) {
      throw error;
    }
    const { code, message, path } = error;
    const told = { error: { code, message, ...(path !== undefined && { path }) } };
    return { isError: true, content: [text(told)] };
  }
}

function text(value: unknown): { type: "text"; text: string } {
  return { type: "text", text: JSON.stringify(value) };
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that have a value. */
function defined<T extends object>(fields: T): Defined<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<T>;
}
