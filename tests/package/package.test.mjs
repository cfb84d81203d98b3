// What holds for every part of the packed package: no Node where there is none, only what is
// imported ends up in a bundle, its source maps and its types are right.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { before, test } from "node:test";
import { promisify } from "node:util";
import { publint } from "publint";
import { codeExports, EDGES, linkPeers, NODE_ONLY, peersOf, WITH_CORE } from "./exports.mjs";
import { bundle, installPackage, root, tarball } from "./support.mjs";

const exec = promisify(execFile);
const bin = (name) => join(root, "node_modules/.bin", name);

let folder;
let installed;
let exported;

before(() => {
  folder = installPackage();
  installed = join(folder, "node_modules/siltstone");
  exported = codeExports(folder);
  linkPeers(folder);
});

/** What a bundle of `code` imports from elsewhere, but for the packages that users bring. */
async function imports(code, conditions) {
  const peers = peersOf(folder);
  const { metafile } = await bundle(folder, code, conditions, {
    platform: "neutral",
    external: [...peers, "cloudflare:*", "node:*"],
  });
  return Object.values(metafile.inputs)
    .flatMap((input) => input.imports)
    .filter(({ external }) => external)
    .map(({ path }) => path)
    .filter((path) => !peers.some((peer) => path === peer || path.startsWith(`${peer}/`)));
}

for (const [runtime, conditions] of Object.entries(EDGES)) {
  test(`nothing of Node is bundled for ${runtime}`, async () => {
    for (const { subpath, specifier } of exported) {
      const found = await imports(`export * from "${specifier}";`, conditions);
      const ofNode = found.filter((path) => path.startsWith("node:"));
      assert.equal(ofNode.length > 0, NODE_ONLY.includes(subpath), `${subpath}: ${ofNode}`);
      // Runtimes that are not Cloudflare's have no such module either.
      const foreign = found.filter((path) => !path.startsWith("node:"));
      assert.deepEqual(foreign, [], subpath);
    }
  });
}

test("the check sees what Node brings where it is imported", async () => {
  const found = await imports(`export * from "siltstone";`, ["node"]);
  assert.deepEqual([...new Set(found)], ["node:fs"]);
});

test("a bundle carries what it imports and nothing else", async () => {
  const external = [...peersOf(folder), "cloudflare:*", "node:*"];
  for (const { subpath, specifier, files } of exported) {
    const inputs = async (code) => {
      const { metafile } = await bundle(folder, code, ["browser"], { external });
      const [output] = Object.entries(metafile.outputs).find(([name]) => name.endsWith(".js"));
      return Object.entries(metafile.outputs[output].inputs)
        .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .map(([path]) => relative(installed, resolve(path)));
    };
    const own = (paths) => paths.filter((path) => !path.startsWith(".."));
    const loads = files.some((file) => file.startsWith("./entries/"));
    const carried = own(await inputs(`import * as part from "${specifier}"; console.log(part);`));
    assert.ok(carried.length > 0, subpath);
    if (loads) continue;
    const group = subpath.split("/")[1];
    const core = carried.filter(
      (path) => /^(wasm|vocab|entries)\/|^main\.js$/.test(path) && !path.startsWith(`${group}/`),
    );
    assert.equal(core.length > 0, WITH_CORE.includes(subpath), `${subpath} carries ${core}`);
    const unused = own(await inputs(`import * as part from "${specifier}";`));
    assert.deepEqual(unused, [], `${subpath} stays in a bundle that does not use it`);
  }
});

test("every source map leads to its source", () => {
  const files = readdirSync(installed, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith(".js"));
  assert.ok(files.length > 10);
  for (const file of files) {
    const code = readFileSync(join(installed, file), "utf8");
    const [, url] =
      /\n\/\/# sourceMappingURL=(\S+)\s*$/.exec(code) ?? assert.fail(`${file}: no map`);
    const path = join(installed, dirname(file), url);
    const map = JSON.parse(readFileSync(path, "utf8"));
    assert.ok(map.sources.length > 0, file);
    map.sources.forEach((source, at) => {
      const text = map.sourcesContent?.[at];
      assert.ok(
        typeof text === "string" || existsSync(join(dirname(path), source)),
        `${file}: ${source}`,
      );
    });
    // A file of nothing but types and re-exports may have a map without positions.
    if (map.mappings === "") continue;
    const line = code.split("\n").findIndex((text) => /^(export|const|await) /.test(text));
    const entry = new SourceMap(map).findEntry(line, 0);
    const source = map.sources.indexOf(entry.originalSource);
    const original = map.sourcesContent[source]?.split("\n")[entry.originalLine];
    assert.match(original ?? "", /\S/, `${file}:${line + 1}`);
  }
});

test("publint finds nothing", async () => {
  const pack = { tarball: new Uint8Array(readFileSync(tarball)).buffer };
  const { messages } = await publint({ pack, strict: true });
  assert.deepEqual(messages, []);
});

test("the types are right for every way that ES modules are resolved", async () => {
  // CommonJS is left out, and with it the resolution of old that knows no exports.
  await exec(bin("attw"), [tarball, "--profile", "esm-only", "--no-definitely-typed"], {
    cwd: folder,
  });
});

const types = (name) => join(root, "node_modules", name);
for (const [name, options] of Object.entries({
  "a bundler": { module: "ESNext", moduleResolution: "Bundler", lib: ["ES2022", "DOM"] },
  "a Worker's bundler": {
    module: "ESNext",
    moduleResolution: "Bundler",
    customConditions: ["workerd", "worker"],
    lib: ["ES2022"],
    types: [types("@cloudflare/workers-types")],
  },
  Node16: { module: "Node16", moduleResolution: "Node16", lib: ["ES2022", "DOM"] },
  NodeNext: { module: "NodeNext", moduleResolution: "NodeNext", lib: ["ES2022", "DOM"] },
  "NodeNext without a page": {
    module: "NodeNext",
    moduleResolution: "NodeNext",
    lib: ["ES2022"],
    types: [types("@types/node")],
  },
})) {
  test(`strict users of ${name} can check the types of every part`, async () => {
    const lines = exported.map(({ specifier }, at) => `import * as part${at} from "${specifier}";`);
    const parts = exported.map((_, at) => `part${at}`);
    writeFileSync(join(folder, "main.ts"), `${lines.join("\n")}\nexport default [${parts}];\n`);
    const compilerOptions = {
      types: [],
      ...options,
      target: "ES2022",
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
    };
    const config = join(folder, `tsconfig.${name.replace(/\W/g, "-")}.json`);
    writeFileSync(config, JSON.stringify({ compilerOptions, files: ["main.ts"] }));
    const { stdout } = await exec(bin("tsc"), ["--project", config, "--pretty", "false"], {
      cwd: folder,
    }).catch((error) => error);
    // The declarations of the packages that users bring are not ours to answer for.
    const ours = stdout
      .split("\n")
      .filter((line) => /^(main\.ts|node_modules\/siltstone\/|error )/.test(line));
    assert.deepEqual(ours, []);
  });
}
