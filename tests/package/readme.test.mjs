// The README's example, as it stands there.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { installPackage, root } from "./support.mjs";

test("the first example runs and remembers", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const [, code] = /```js\n([\s\S]*?)```/.exec(readme);
  const statements = code.trim().split("\n").length;
  assert.ok(statements <= 20, `the example has ${statements} lines`);
  const folder = installPackage();
  const file = join(folder, "readme.mjs");
  writeFileSync(
    file,
    code.replace("console.log(turn.messages)", "console.log(JSON.stringify(turn))"),
  );
  const { messages, report } = JSON.parse(
    execFileSync(process.execPath, [file], { encoding: "utf8" }),
  );
  assert.match(messages[0].content, /peanuts/);
  assert.equal(messages.at(-1).content, "Which snack can I eat?");
  assert.equal(report.recall.status, "ok");
});
