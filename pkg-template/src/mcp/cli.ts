#!/usr/bin/env node
import { parseArgs } from "node:util";
import { Siltstone } from "../entries/node.js";
import type { Host } from "../host.js";
import { memoryHost } from "../hosts/memory.js";
import { sqliteHost } from "../hosts/sqlite.js";
import { openAiCompatible } from "../llm/openai.js";
import { every } from "../maintain/every.js";

const USAGE = `Serves one person's memories over MCP on standard input and output.

  siltstone-mcp --user <id> [--file <path>] [--tenant <id>] [--agent <id>]

  --user    whose memories they are                      SILTSTONE_USER
  --file    a SQLite file, made if it is not there       SILTSTONE_FILE
            (Node.js 22.5 or later); without one, all is lost at the end
  --tenant  the customer whose user that is              SILTSTONE_TENANT
  --agent   the agent whose experience they include      SILTSTONE_AGENT

A language model condenses long memories where OPENAI_BASE_URL and OPENAI_MODEL
are set; OPENAI_API_KEY is sent if there is one.
`;

/** Standard output belongs to the protocol. */
function say(message: string): void {
  process.stderr.write(`siltstone-mcp: ${message}\n`);
}

/** Ends the process with a word on what to do. */
class Refusal extends Error {}

async function main(): Promise<void> {
  const options = readOptions();
  if (options.help) {
    process.stderr.write(USAGE);
    return;
  }
  const { user, tenant, agent, file } = options;
  if (!user) {
    throw new Refusal(`no user; say --user <id> or set SILTSTONE_USER\n\n${USAGE}`);
  }
  const { OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: model, OPENAI_API_KEY: apiKey } = process.env;
  const memory = await Siltstone.create({
    host: file ? await fileHost(file) : memoryHost(),
    ...(baseUrl && model && { llm: openAiCompatible({ baseUrl, model, apiKey }) }),
  });
  if (!file) {
    say("no --file: memories are kept until this process ends");
  }
  every(memory);
  const scope = { user, ...(tenant && { tenant }), ...(agent && { agent }) };
  const { createMemoryServer, StdioServerTransport } = await protocol();
  const server = createMemoryServer(memory, scope);
  // A scope that is wrong is told now, not at the first tool.
  await memory.memories(scope).stats();
  await server.connect(new StdioServerTransport());
}

/** The parts that need packages which are not installed with this one. */
async function protocol() {
  try {
    const [server, stdio] = await Promise.all([
      import("./server.js"),
      import("@modelcontextprotocol/sdk/server/stdio.js"),
    ]);
    return { ...server, ...stdio };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") {
      throw error;
    }
    throw new Refusal("it needs two packages more: npm install @modelcontextprotocol/sdk zod");
  }
}

function readOptions() {
  const env = process.env;
  const text = { type: "string" } as const;
  try {
    const { values } = parseArgs({
      options: { user: text, tenant: text, agent: text, file: text, help: { type: "boolean" } },
    });
    return {
      user: env.SILTSTONE_USER,
      tenant: env.SILTSTONE_TENANT,
      agent: env.SILTSTONE_AGENT,
      file: env.SILTSTONE_FILE,
      ...values,
    };
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
  }
}

async function fileHost(file: string): Promise<Host> {
  const name: string = "node:sqlite";
  let sqlite: { DatabaseSync: new (path: string) => Parameters<typeof sqliteHost>[0] };
  try {
    sqlite = await import(name);
  } catch {
    throw new Refusal(
      `--file needs Node.js 22.5 or later, which has SQLite; this is ${process.version}`,
    );
  }
  return sqliteHost(new sqlite.DatabaseSync(file));
}

main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
