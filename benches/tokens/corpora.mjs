// Texts to count, all from this repository and its locked packages, no passage twice.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const read = (...path) => readFileSync(join(root, ...path), "utf8");
const SIZE = 200_000;
const CHINESE =
  "node_modules/@arethetypeswrong/core/node_modules/typescript/lib/zh-cn/diagnosticMessages.generated.json";

function files(folder, extension) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith(extension))
    .sort()
    .map((name) => read(folder, name));
}

/** One text for each kind of writing, except `messages`: many short ones. */
export function corpora() {
  const rust = files("src", ".rs").join("\n").split("\n");
  const isComment = (line) => /^\s*\/\//.test(line);
  const texts = (name) => JSON.parse(read("tests/data", name)).map(({ text }) => text);
  const messages = [...texts("compress_en.json"), ...texts("rules_messages.json")];
  return {
    english: distinct([
      ...rust.filter(isComment).map((line) => line.replace(/^\s*\/\/[/!]?\s?/, "")),
      ...read("README.md").split("\n"),
      ...read("ARCHITECTURE.md").split("\n"),
    ]),
    chinese: distinct([...texts("compress_zh.json"), ...Object.values(JSON.parse(read(CHINESE)))]),
    code: distinct(rust.filter((line) => !isComment(line))),
    json: files("tests/cases", ".json").join("\n").slice(0, SIZE),
    messages: [...new Set(messages.flatMap((text) => text.split(/(?<=[.!?]) +/)))],
  };
}

function distinct(lines) {
  return [...new Set(lines)].join("\n").slice(0, SIZE);
}
