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
import * as openai from "siltstone/llm/openai";
import * as maintain from "siltstone/maintain";
export default { siltstone, memory, cloudflare, openai, maintain };
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

test("only what is for Node and Bun import what Node brings", () => {
  const builtins = new Set([...builtinModules, ...builtinModules.map((name) => `node:${name}`)]);
  const importers = files()
    .filter((file) => file.endsWith(".js"))
    .filter((file) => {
      const code = readFileSync(join(installed, file), "utf8");
      const imports = code.matchAll(/(?:from|import|require)\s*\(?\s*["']([^"']+)["']/g);
      return [...imports].some(([, name]) => builtins.has(name));
    });
  assert.deepEqual(importers.sort(), [
    "entries/node.js",
    "vocab/cl100k_base.node.js",
    "vocab/o200k_base.node.js",
  ]);
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
    import cl100k from "siltstone/vocab/cl100k_base";
    import { alarm, denoCron, every, scheduled, whenIdle } from "siltstone/maintain";

    export async function turn(env: { DB: D1Database; CACHE: KVNamespace }): Promise<Turn> {
      await init(new URL("https://example.com/core_bg.wasm"));
      const server = { baseUrl: "https://api.openai.com/v1", apiKey: "k", model: "m" };
      using memory = await Siltstone.create({
        host: Math.random() > 0.5 ? cloudflareHost(env) : memoryHost({ now: () => 0 }),
        llm: openAiCompatible(server),
        embed: async (texts, { signal }) => (signal.aborted ? [] : texts.map(() => new Float32Array(3))),
        counter: (text) => text.length,
        vocabularies: [cl100k],
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
