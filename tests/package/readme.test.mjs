// The README: its code as it stands there runs, and its tables name all that there is.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { transform } from "esbuild";
import { bin, post, startModel } from "./examples.mjs";
import { installPackage, root, startWorker } from "./support.mjs";

const readme = readFileSync(join(root, "README.md"), "utf8");
const blocks = (language) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, "gm"))].map(
    ([, code]) => code,
  );
const worker = blocks("ts").find((code) => code.includes("cloudflare:workers"));
let folder;

before(() => {
  folder = installPackage();
});

function run(code) {
  const file = join(folder, "readme.mjs");
  writeFileSync(file, code);
  return execFileSync(process.execPath, [file], { encoding: "utf8", cwd: folder });
}

test("the first example runs and remembers", () => {
  const [code] = blocks("js");
  const statements = code.trim().split("\n").length;
  assert.ok(statements <= 20, `the example has ${statements} lines`);
  const { messages, report } = JSON.parse(
    run(code.replace("console.log(turn.messages)", "console.log(JSON.stringify(turn))")),
  );
  assert.match(messages[0].content, /peanuts/);
  assert.equal(messages.at(-1).content, "Which snack can I eat?");
  assert.equal(report.recall.status, "ok");
});

describe("the other examples run", () => {
  const examples = [...blocks("js").slice(1), ...blocks("ts").filter((code) => code !== worker)];
  for (const code of examples) {
    const [name] = code.match(/siltstone\/(?!hosts)[\w/]+|\w+\.export/) ?? [code];
    // Some speak of a `host` that an example before them has made.
    const isWhole = code.includes("/hosts/");
    const host = `import { memoryHost } from "siltstone/hosts/memory"; const host = memoryHost();`;
    test(name, () => {
      run(isWhole ? code : `${host}\n${code}`);
    });
  }
});

const ENV = `
declare namespace Cloudflare {
  interface Env {
    DB: D1Database;
    CACHE: KVNamespace;
    OPENAI_BASE_URL: string;
    OPENAI_API_KEY: string;
  }
}
type Env = Cloudflare.Env;
`;

describe("the Worker", () => {
  test("has the right types", () => {
    symlinkSync(join(root, "node_modules/@cloudflare"), join(folder, "node_modules/@cloudflare"));
    writeFileSync(join(folder, "env.d.ts"), ENV);
    writeFileSync(join(folder, "worker.ts"), worker);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: "es2022",
      lib: ["es2022"],
      module: "esnext",
      moduleResolution: "bundler",
      types: ["@cloudflare/workers-types"],
    };
    const files = ["env.d.ts", "worker.ts"];
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
    execFileSync(bin("tsc"), ["--project", folder], { stdio: ["ignore", "inherit", "inherit"] });
  });

  test("answers and remembers", async (t) => {
    const model = await startModel();
    t.after(() => model.close());
    const { code: script } = await transform(worker, { loader: "ts" });
    const { url, dispose } = await startWorker(folder, script, { bindings: model.env });
    t.after(dispose);
    const say = (session, message) => post(url, "/", { user: "ana", session, message });
    assert.equal((await say("monday", "I live in Hangzhou.")).answer, "I don't know.");
    // The session's end goes on behind the answer.
    for (let session = 0; ; session += 1) {
      const { answer } = await say(`${session}`, "Where do I live?");
      if (answer === "You live in Hangzhou.") break;
      assert.ok(session < 100);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
});

test("its tables name every error and every part of the package", () => {
  const errors = readFileSync(join(root, "pkg-template/src/errors.ts"), "utf8");
  const [union] = /export type ErrorCode =[\s\S]*?;\n/.exec(errors);
  const codes = [...union.matchAll(/^ {2}\| "(\w+)"/gm)].map(([, code]) => code);
  assert.ok(codes.length > 10);
  assert.deepEqual(
    codes.filter((code) => !readme.includes(`| \`${code}\` |`)),
    [],
  );
  const manifest = readFileSync(join(root, "pkg-template/package.json"), "utf8");
  const parts = Object.keys(JSON.parse(manifest).exports)
    // Files are told of with the part that reads them.
    .filter((part) => part !== "." && !/\.(json|wasm|bin)$/.test(part))
    .map((part) => part.replace(".", "siltstone"));
  assert.deepEqual(
    parts.filter((part) => !readme.includes(part)),
    [],
  );
});
