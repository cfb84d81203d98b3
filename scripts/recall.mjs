// Measures recall on long conversations in LoCoMo's format:
// - the share of the evidence turns of each question that stand behind the first 5, 10 and 20 memories,
// - whether a session that holds evidence is among the first 5 (adversarial questions included),
// - the share of the evidence that a turn shows its model: by default, and in 4,000 and in 1,000 tokens
//   where nothing but these is the limit.
//
//   node scripts/recall.mjs FOLDER [turns|observations] [lexical|hybrid]
//
// `turns` keeps every message as a memory. `observations` lets a scripted judge answer with the
// observation lines of the data, through the real session end. `hybrid` reads embeddings of turns,
// observations and questions from FOLDER/minilm/NAME.{turns,observations,questions}.f16: rows of
// 384 half floats, in the order of NAME.index.json.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Siltstone } from "../dist/package/entries/node.js";
import { memoryHost } from "../dist/package/hosts/memory.js";

const CUTS = [5, 10, 20];
const ADVERSARIAL = 5;
const CATEGORIES = { 1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop" };
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const SESSIONS = 5;
const BUDGETS = [4000, 1000];
/** Memories a turn may bring where its tokens are the limit. */
const PLENTY = 500;
const DIMENSIONS = 384;
/** Characters that a shortened observation has in common with the whole one. */
const SHORTENED = 40;

const [, , data, memories = "turns", mode = "lexical"] = process.argv;
const options = { data, memories, mode };
if (
  !options.data ||
  !["turns", "observations"].includes(options.memories) ||
  !["lexical", "hybrid"].includes(options.mode)
) {
  fail("use: make recall DATA=folder MEMORIES=turns|observations MODE=lexical|hybrid");
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

function halfFloat(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

async function rows(file) {
  const bytes = await readFile(file);
  const halves = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);
  const numbers = Float32Array.from(halves, halfFloat);
  const count = numbers.length / DIMENSIONS;
  return Array.from({ length: count }, (_, row) =>
    numbers.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS),
  );
}

/** Gives the stored embeddings by text; none for a text that the data do not know. */
async function embeddings(name, conversation) {
  const base = join(options.data, "minilm", name.replace(/\.json$/, ""));
  const index = JSON.parse(await readFile(`${base}.index.json`, "utf8"));
  const lines = sessionsOf(conversation).flatMap((number) => messagesOf(conversation, number));
  const turns = new Map(lines.map((line) => [line.id, `${line.name}: ${line.content.trim()}`]));
  const byText = new Map();
  const take = async (kind, texts) => {
    const vectors = await rows(`${base}.${kind}.f16`);
    for (const [row, text] of texts.entries()) byText.set(text, vectors[row]);
  };
  await take(
    "observations",
    index.observations.map(([, text]) => text),
  );
  await take(
    "turns",
    index.turns.map((id) => turns.get(id)),
  );
  await take("questions", index.questions);
  return async (texts) => texts.map((text) => byText.get(text) ?? byText.get(longer(text)) ?? []);

  /** The observation that a judge's text was shortened from. */
  function longer(text) {
    const start = text.slice(0, SHORTENED);
    return index.observations.map(([, whole]) => whole).find((whole) => whole.startsWith(start));
  }
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
async function measure(name, conversation, progress) {
  const clock = { now: 0 };
  const current = {};
  const host = { ...memoryHost(), now: () => clock.now, log: (event) => warnings.add(event.event) };
  const turns = options.memories === "turns";
  const embed = options.mode === "hybrid" ? await embeddings(name, conversation) : undefined;
  const open = (config) =>
    Siltstone.create({
      host,
      ...(turns ? {} : { llm: scriptedJudge(current) }),
      ...(embed ? { embed } : {}),
      config: {
        judge: turns ? { mode: "verbatim" } : {},
        summary: { minMessages: 100_000 },
        // The data's memories are all of one importance: none stands in every turn.
        recall: { standingImportance: 11 },
        agent: { longMemory: true, model: "none" },
        // Each question is asked of what the conversation left: not of what others found before.
        life: { touchMinScore: 1 },
        ...config,
      },
    });
  const memory = await open({});
  for (const number of sessionsOf(conversation)) {
    const scope = { user: name, session: `session_${number}` };
    current.messages = messagesOf(conversation, number);
    current.observations = conversation[`session_${number}_observation`];
    clock.now = current.messages.at(-1).createdAt + 1000;
    await memory.append(scope, current.messages);
    const report = await memory.endSession(scope);
    if (report.status !== "done") fail(`${name} session ${number} ended ${report.status}`);
    progress();
  }
  const budgeted = await Promise.all([
    open({}),
    ...BUDGETS.map((maxTokens) =>
      open({
        budget: { maxTokens },
        recall: { standingImportance: 11, topK: PLENTY, scopeLimit: PLENTY },
      }),
    ),
  ]);
  const results = [];
  for (const { question, evidence, category } of asked(conversation.qa)) {
    results.push(await ask(memory, budgeted, { name, question, evidence, category }));
    progress();
  }
  const { total } = await memory.memories({ user: name }).list({ limit: 1 });
  for (const instance of [memory, ...budgeted]) instance.close();
  return { results, memories: total };
}

async function ask(memory, budgeted, { name, question, evidence, category }) {
  const wanted = [...new Set(turnIds(evidence))];
  const share = (found) => wanted.filter((id) => found.has(id)).length / wanted.length;
  const sources = (list) => new Set(list.flatMap((hit) => hit.memory.messageIds));
  const found = [];
  let sessions = [];
  for (const limit of CUTS) {
    // Which memories are too much alike to stand beside each other depends on how many there are.
    const answer = await memory.recall({ user: name }, question, { limit });
    found.push(share(sources(answer.hits)));
    sessions = answer.sessions;
  }
  const first = sessions.slice(0, SESSIONS).map(({ session }) => session);
  const session = wanted.some((id) => first.includes(id.replace(/^D(\d+):.*/, "session_$1")));
  const shown = [];
  for (const instance of category === ADVERSARIAL ? [] : budgeted) {
    const scope = { user: name, session: "now" };
    const { report } = await instance.load({ scope, message: question });
    const ids = new Set();
    for (const { id } of report.recall.hits) {
      const kept = await instance.memories({ user: name }).get(id);
      for (const message of kept.messageIds) ids.add(message);
    }
    shown.push(share(ids));
  }
  return { category, found, session, shown };
}

/** Questions with evidence. */
function asked(qa) {
  const known = ({ category }) => category === ADVERSARIAL || CATEGORIES[category];
  return qa.filter((q) => known(q) && turnIds(q.evidence).length > 0);
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
const steps = conversations
  .map(([, conversation]) => sessionsOf(conversation).length + asked(conversation.qa).length)
  .reduce((a, b) => a + b, 0);
const progress = progressBar(steps);
const all = [];
let stored = 0;
for (const [name, conversation] of conversations) {
  const measured = await measure(name, conversation, progress);
  all.push(...measured.results);
  stored += measured.memories;
}

function mean(values) {
  return (values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1)).toFixed(4);
}

const results = all.filter(({ category }) => category !== ADVERSARIAL);
const shares = (rows) => CUTS.map((_, index) => mean(rows.map(({ found }) => found[index])));
console.log(
  `${options.memories}, ${options.mode}: ${stored} memories from ${files.length} conversations`,
);
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
const line = [
  ...shares(results).map((share, index) => `recall${CUTS[index]}=${share}`),
  `session${SESSIONS}=${mean(all.map(({ session }) => Number(session)))}`,
  ...["default", ...BUDGETS.map((budget) => `tokens${budget}`)].map(
    (name, index) => `${name}=${mean(results.map(({ shown }) => shown[index]))}`,
  ),
  `questions=${results.length}`,
  `session_questions=${all.length}`,
];
console.log(line.join(" "));
