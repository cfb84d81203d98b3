// Texts to count, all from this repository and its locked packages, no line twice.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const read = (...path) => readFileSync(join(root, ...path), "utf8");
/** Characters of a slice at most. */
const SIZE = 50_000;
const SLICES = 8;
const CHINESE =
  "node_modules/@arethetypeswrong/core/node_modules/typescript/lib/zh-cn/diagnosticMessages.generated.json";

function files(folder, extension) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith(extension))
    .sort()
    .map((name) => read(folder, name));
}

/** For each kind of writing, slices of texts: `messages` has many short ones in a slice, others have one. */
export function corpora() {
  const rust = files("src", ".rs").join("\n").split("\n");
  const isComment = (line) => /^\s*\/\//.test(line);
  const data = (name) => JSON.parse(read("tests/data", name));
  const texts = (name) => data(name).map(({ text }) => text);
  const sentences = [...texts("compress_en.json"), ...texts("rules_messages.json")];
  return {
    english: sliced([
      ...rust.filter(isComment).map((line) => line.replace(/^\s*\/\/[/!]?\s?/, "")),
      ...read("README.md").split("\n"),
      ...read("ARCHITECTURE.md").split("\n"),
    ]),
    chinese: sliced([...texts("compress_zh.json"), ...Object.values(JSON.parse(read(CHINESE)))]),
    code: sliced(rust.filter((line) => !isComment(line))),
    json: sliced(files("tests/cases", ".json").join("\n").split("\n")),
    messages: slices([
      ...new Set([
        ...sentences.flatMap((text) => text.split(/(?<=[.!?]) +/)),
        ...["rules.json", "secrets.json", "suspicion.json"].flatMap(texts),
        ...data("updates.json").flatMap(({ first, then, ask }) => [first, then, ask]),
        ...data("recall_en.json").sessions.flatMap(({ lines }) => lines),
      ]),
    ]),
  };
}

function sliced(lines) {
  return slices([...new Set(lines)]).map((slice) => [slice.join("\n").slice(0, SIZE)]);
}

function slices(lines) {
  const size = Math.ceil(lines.length / SLICES);
  return Array.from({ length: SLICES }, (_, at) => lines.slice(at * size, (at + 1) * size));
}
