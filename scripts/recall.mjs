// Measures recall on long conversations in LoCoMo's format: the share of the evidence turns of each
// question that stand behind the first 5, 10 and 20 memories.
//
//   node scripts/recall.mjs FOLDER [turns|observations]
//
// `turns` keeps every message as a memory. `observations` lets a scripted judge answer with the
// observation lines of the data, through the real session end.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Siltstone } from "../dist/package/entries/node.js";
import { memoryHost } from "../dist/package/hosts/memory.js";

const CUTS = [5, 10, 20];
const CATEGORIES = { 1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop" };
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const [, , data, memories = "turns"] = process.argv;
const options = { data, memories };
if (!options.data || !["turns", "observations"].includes(options.memories)) {
  fail("use: make recall DATA=folder-of-json-files MEMORIES=turns|observations");
}

function fail(message) {
  process.stderr.write(`recall: ${message}\n`);
  process.exit(2);
}

/** "1:56 pm on 8 May, 2023" in ms since the epoch. */
function parseDate(text) {
  const match = /(\d+):(\d+)\s*([ap]m) on (\d+) (\w{3})\w*,? (\d{4})/i.exec(text ?? "");
  if (!match) fail(`not a date: ${text}`);
  const [, hour, minute, half, day, month, year] = match;
  const hours = (Number(hour) % 12) + (half.toLowerCase() === "pm" ? 12 : 0);
  const monthIndex = MONTHS.indexOf(month.toLowerCase());
  return Date.UTC(Number(year), monthIndex, Number(day), hours, Number(minute));
}

function turnIds(evidence) {
  return [...String(evidence).matchAll(/D\d+:\d+/g)].map(([id]) => id);
}

function sessionsOf(conversation) {
  return Object.keys(conversation)
    .map((key) => /^session_(\d+)$/.exec(key)?.[1])
    .filter((number) => number !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

function messagesOf(conversation, number) {
  const start = parseDate(conversation[`session_${number}_date_time`]);
  return conversation[`session_${number}`].map((turn, index) => ({
    id: turn.dia_id,
    role: turn.speaker === conversation.speaker_a ? "user" : "assistant",
    name: turn.speaker,
    content: turn.blip_caption ? `${turn.text} [${turn.blip_caption}]` : turn.text,
    createdAt: start + index * 1000,
  }));
}

/** Answers as an LLM judge would, with the observations of the session that is ending. */
function scriptedJudge(current) {
  return async (request) => {
    if (request.purpose !== "judge") return "";
    const marks = request.messages.at(-1).content.matchAll(/^(m\d+) (?:\([^)]*\) )?\[\[NEW\] /gm);
    const references = [...marks].map(([, reference]) => reference);
    const labels = new Map(current.messages.map(({ id }, index) => [id, references[index]]));
    const memories = [];
    for (const lines of Object.values(current.observations ?? {})) {
      for (const [content, evidence] of lines) {
        const from = turnIds(evidence).flatMap((id) => labels.get(id) ?? []);
        if (from.length > 0) {
          memories.push({ content, category: "event", scope: "user", importance: 5, from });
        }
      }
    }
    return JSON.stringify({ memories });
  };
}

/** Feeds one conversation through the package and asks its questions. */
async function measure(file, conversation, progress) {
  const clock = { now: 0 };
  const current = {};
  const host = { ...memoryHost(), now: () => clock.now, log: (event) => warnings.add(event.event) };
  const turns = options.memories === "turns";
  const memory = await Siltstone.create({
    host,
    ...(turns ? {} : { llm: scriptedJudge(current) }),
    config: { judge: turns ? { mode: "verbatim" } : {}, summary: { minMessages: 100_000 } },
  });
  const numbers = sessionsOf(conversation);
  for (const number of numbers) {
    const scope = { user: file, session: `session_${number}` };
    current.messages = messagesOf(conversation, number);
    current.observations = conversation[`session_${number}_observation`];
    clock.now = current.messages.at(-1).createdAt + 1000;
    await memory.append(scope, current.messages);
    const report = await memory.endSession(scope);
    if (report.status !== "done") fail(`${file} session ${number} ended ${report.status}`);
    progress();
  }
  const results = [];
  for (const { question, evidence, category } of conversation.qa) {
    const wanted = [...new Set(turnIds(evidence))];
    if (!CATEGORIES[category] || wanted.length === 0) continue;
    const { hits } = await memory.recall({ user: file }, question, { limit: CUTS.at(-1) });
    const found = CUTS.map((cut) => {
      const sources = new Set(hits.slice(0, cut).flatMap((hit) => hit.memory.messageIds));
      return wanted.filter((id) => sources.has(id)).length / wanted.length;
    });
    results.push({ category, found });
    progress();
  }
  const { total } = await memory.memories({ user: file }).list({ limit: 1 });
  memory.close();
  return { results, memories: total };
}

function progressBar(total) {
  let done = 0;
  const tty = process.stderr.isTTY;
  return () => {
    done += 1;
    const share = Math.floor((done / total) * 100);
    const before = Math.floor(((done - 1) / total) * 100);
    if (tty) {
      const filled = Math.round(share * 0.4);
      const bar = `${"█".repeat(filled)}${"░".repeat(40 - filled)}`;
      process.stderr.write(`\r${bar} ${share}%${done === total ? "\n" : ""}`);
    } else if (Math.floor(share / 10) > Math.floor(before / 10)) {
      process.stderr.write(`recall: ${share}%\n`);
    }
  };
}

const warnings = new Set();
const files = (await readdir(options.data)).filter((name) => name.endsWith(".json")).sort();
if (files.length === 0) fail(`no .json files in ${options.data}`);
const conversations = [];
for (const name of files) {
  conversations.push([name, JSON.parse(await readFile(join(options.data, name), "utf8"))]);
}
const asked = (qa) => qa.filter((q) => CATEGORIES[q.category] && turnIds(q.evidence).length > 0);
const steps = conversations
  .map(([, conversation]) => sessionsOf(conversation).length + asked(conversation.qa).length)
  .reduce((a, b) => a + b, 0);
const progress = progressBar(steps);
const results = [];
let stored = 0;
for (const [name, conversation] of conversations) {
  const measured = await measure(name, conversation, progress);
  results.push(...measured.results);
  stored += measured.memories;
}

function shares(rows) {
  return CUTS.map((_, index) => {
    const sum = rows.reduce((total, row) => total + row.found[index], 0);
    return (rows.length === 0 ? 0 : sum / rows.length).toFixed(4);
  });
}

console.log(`${options.memories}: ${stored} memories from ${files.length} conversations`);
if (warnings.size > 0) console.log(`worked around: ${[...warnings].join(", ")}`);
console.log(
  `${"category".padEnd(14)}${"questions".padStart(10)}${CUTS.map((cut) => `at ${cut}`.padStart(9)).join("")}`,
);
for (const [category, name] of Object.entries(CATEGORIES)) {
  const rows = results.filter((row) => row.category === Number(category));
  const cells = shares(rows)
    .map((share) => share.padStart(9))
    .join("");
  console.log(`${name.padEnd(14)}${String(rows.length).padStart(10)}${cells}`);
}
const all = shares(results);
const line = CUTS.map((cut, index) => `recall${cut}=${all[index]}`).join(" ");
console.log(`${line} questions=${results.length}`);
