// What the packed package holds, and that no entry for the edge needs Node.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join, relative } from "node:path";
import { before, test } from "node:test";
import { bundle, installPackage, root } from "./support.mjs";

const IMPORT_ALL = `
import * as siltstone from "siltstone";
import * as memory from "siltstone/hosts/memory";
import * as cloudflare from "siltstone/hosts/cloudflare";
import * as durableObject from "siltstone/hosts/durable-object";
import * as denoKv from "siltstone/hosts/deno-kv";
import * as indexedDb from "siltstone/hosts/indexeddb";
import * as sqlite from "siltstone/hosts/sqlite";
import * as mysql from "siltstone/hosts/mysql";
import * as postgres from "siltstone/hosts/postgres";
import * as redis from "siltstone/hosts/redis";
import * as sql from "siltstone/hosts/sql";
import * as testing from "siltstone/testing";
import * as openai from "siltstone/llm/openai";
import * as maintain from "siltstone/maintain";
import * as anthropic from "siltstone/llm/anthropic";
import * as workersAi from "siltstone/llm/workers-ai";
import * as promptApi from "siltstone/llm/prompt-api";
import * as embed from "siltstone/embed/openai";
import * as workersAiEmbed from "siltstone/embed/workers-ai";
import * as memos from "siltstone/providers/memos";
import * as mem0 from "siltstone/providers/mem0";
import * as pgvector from "siltstone/vectors/pgvector";
import * as vectorize from "siltstone/vectors/vectorize";
import * as qdrant from "siltstone/vectors/qdrant";
import * as milvus from "siltstone/vectors/milvus";
import * as vectorChecks from "siltstone/testing/vectors";
const hosts = { memory, cloudflare, durableObject, denoKv, indexedDb, sqlite, mysql, postgres, redis, sql };
export default { siltstone, hosts, testing, openai, maintain };
export const services = { anthropic, workersAi, promptApi, embed, workersAiEmbed, memos, mem0 };
export const vectors = { pgvector, vectorize, qdrant, milvus, vectorChecks };
`;
const IMPORT_SLIM = `export * from "siltstone/slim";`;

let folder;
let installed;

before(() => {
  folder = installPackage();
  installed = join(folder, "node_modules/siltstone");
});

const files = () =>
  readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(installed, join(entry.parentPath, entry.name)));

test("every export names a file that is there", () => {
  const manifest = JSON.parse(readFileSync(join(installed, "package.json")));
  const targets = (value) =>
    typeof value === "string" ? [value] : Object.values(value).flatMap(targets);
  const known = new Set(files());
  for (const target of targets(manifest.exports)) {
    assert.ok(known.has(target.replace("./", "")), `${target} is missing`);
  }
  assert.deepEqual(Object.keys(manifest.exports["."]), [
    "types",
    "workerd",
    "deno",
    "bun",
    "node",
    "browser",
    "default",
  ]);
});

test("nothing runs at installation and nothing else is installed", () => {
  const manifest = JSON.parse(readFileSync(join(installed, "package.json")));
  assert.equal(manifest.dependencies, undefined);
  assert.equal(manifest.scripts, undefined);
  assert.equal(manifest.type, "module");
});

test("only the entries and the command for Node and Bun import what Node brings", () => {
  const builtins = new Set([...builtinModules, ...builtinModules.map((name) => `node:${name}`)]);
  const importers = files()
    .filter((file) => file.endsWith(".js"))
    .filter((file) => {
      const code = readFileSync(join(installed, file), "utf8");
      const imports = code.matchAll(/(?:from|import|require)\s*\(?\s*["']([^"']+)["']/g);
      return [...imports].some(([, name]) => builtins.has(name));
    });
  assert.deepEqual(importers.sort(), ["entries/node.js", "mcp/cli.js"]);
});

for (const [runtime, conditions] of Object.entries({
  workerd: ["workerd", "worker"],
  deno: ["deno"],
  browser: ["browser"],
  another: [],
})) {
  test(`bundles for ${runtime} with nothing of Node in it`, async () => {
    for (const code of [IMPORT_ALL, IMPORT_SLIM]) {
      const { metafile } = await bundle(folder, code, conditions, { platform: "neutral" });
      const external = Object.values(metafile.inputs)
        .flatMap(({ imports }) => imports)
        .filter((one) => one.external)
        .map(({ path }) => path);
      assert.deepEqual(external, []);
    }
  });
}

test("workerd gets its module by an import, which needs no code generation at run time", async () => {
  const { outputFiles } = await bundle(folder, IMPORT_ALL, ["workerd"]);
  assert.ok(outputFiles.some(({ path }) => path.endsWith(".wasm")));
  const code = readFileSync(join(installed, "entries/workerd.js"), "utf8");
  assert.match(code, /import module from "\.\.\/wasm\/core_bg\.wasm"/);
});

test("the types hold for strict users who check libraries as well", () => {
  const code = `
    import { Siltstone, SiltstoneError, type Message, type Turn } from "siltstone";
    import { init } from "siltstone/slim";
    import { memoryHost } from "siltstone/hosts/memory";
    import { cloudflareHost } from "siltstone/hosts/cloudflare";
    import { openAiChat, openAiCompatible } from "siltstone/llm/openai";
    import { alarm, denoCron, every, scheduled, whenIdle } from "siltstone/maintain";
    import { anthropic } from "siltstone/llm/anthropic";
    import { workersAi } from "siltstone/llm/workers-ai";
    import { promptApi } from "siltstone/llm/prompt-api";
    import { openAiEmbed } from "siltstone/embed/openai";
    import { workersAiEmbed } from "siltstone/embed/workers-ai";
    import { memos } from "siltstone/providers/memos";
    import { mem0 } from "siltstone/providers/mem0";
    import { pgvector, type PgClient } from "siltstone/vectors/pgvector";
    import { vectorize } from "siltstone/vectors/vectorize";
    import { qdrant } from "siltstone/vectors/qdrant";
    import { milvus } from "siltstone/vectors/milvus";
    import { vectorStoreChecks } from "siltstone/testing/vectors";

    export async function served(env: { DB: D1Database; AI: Ai; VECTORS: Vectorize }, pg: PgClient) {
      const baseUrl = "https://example.com";
      const stores = [pgvector(pg), vectorize(env.VECTORS), qdrant({ baseUrl }), milvus({ baseUrl })];
      const models = [
        workersAi(env.AI, { model: "@cf/meta/llama-3.3-70b-instruct-fp8-fast" }),
        anthropic({ apiKey: "k", model: "m" }),
        promptApi({ languages: ["en"] }),
      ];
      const embedders = [
        workersAiEmbed(env.AI, { model: "@cf/baai/bge-m3", gateway: { id: "g" } }),
        openAiEmbed({ baseUrl, model: "m", dimensions: 512 }),
      ];
      for (const { name, run } of vectorStoreChecks({ store: () => qdrant({ baseUrl }) })) {
        await run().catch(() => console.warn(name));
      }
      return Siltstone.create({
        host: cloudflareHost(env),
        llm: models[0]!,
        embed: embedders[0]!,
        vectors: stores[0]!,
        providers: { memos: memos({ baseUrl, api: "self_hosted" }), mem0: mem0({ apiKey: "k" }) },
      });
    }

    export async function turn(env: { DB: D1Database; CACHE: KVNamespace }): Promise<Turn> {
      await init(new URL("https://example.com/core_bg.wasm"));
      const server = { baseUrl: "https://api.openai.com/v1", apiKey: "k", model: "m" };
      using memory = await Siltstone.create({
        host: Math.random() > 0.5 ? cloudflareHost(env) : memoryHost({ now: () => 0 }),
        llm: openAiCompatible(server),
        embed: async (texts, { signal }) => (signal.aborted ? [] : texts.map(() => new Float32Array(3))),
        counter: (text) => text.length,
        config: { window: { maxTokens: 8_000 }, agents: { a: { longMemory: true } } },
      });
      const scope = { user: "u", session: "s" };
      const said: Message[] = (["user", "assistant"] as const).map((role) => ({ role, content: "" }));
      await memory.append(scope, said);
      await memory.memories(scope).add({ content: "likes tea", category: "preference" });
      const prepared = await memory.load({ scope, message: "Hi", system: "Be brief." });
      for await (const text of openAiChat(server, prepared.messages)) {
        text.trim();
      }
      return prepared;
    }

    interface Env {
      DB: D1Database;
    }
    export const worker = {
      fetch: () => new Response(),
      scheduled: scheduled((env: Env) => Siltstone.create({ host: cloudflareHost(env) })),
    } satisfies ExportedHandler<Env>;

    export async function maintain(memory: Siltstone, storage: DurableObjectStorage, signal: AbortSignal) {
      every(memory, { intervalMs: 60_000, signal });
      whenIdle(memory, { onError: (error) => console.warn(error) });
      await denoCron(memory, { name: "memory", schedule: "0 * * * *" });
      return (await alarm(memory, storage, { limit: 10 })).nextRunAt;
    }

    export function isConflict(error: unknown): boolean {
      return error instanceof SiltstoneError && error.code === "conflict";
    }

    // @ts-expect-error: a role has to be one of OpenAI's.
    export const wrong: Message = { role: "robot", content: "" };
  `;
  const config = {
    compilerOptions: {
      target: "ES2022",
      lib: ["ES2022"],
      module: "NodeNext",
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      types: [join(root, "node_modules/@cloudflare/workers-types/index.d.ts")],
    },
    files: ["turn.ts"],
  };
  writeFileSync(join(folder, "turn.ts"), code);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  execFileSync(join(root, "node_modules/.bin/tsc"), ["--project", folder], { stdio: "inherit" });
});
