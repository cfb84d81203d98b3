// Stands in for a language model where none is configured. It makes nothing up: it looks through
// the messages that it is given for what has most words in common with the question, and says what
// it found, so that one sees the memory at work.

import type { Message } from "siltstone";

/** Something that was said, with where it stands. */
interface Known {
  text: string;
  from: "memory" | "summary" | "history";
}

/** Answers the last message, piece by piece. */
export async function* offlineChat(
  messages: readonly Message[],
): AsyncGenerator<string, void, undefined> {
  for (const piece of offlineAnswer(messages).match(/\p{sc=Han}{1,3}|[^\s\p{sc=Han}]+\s*|\s+/gu) ??
    []) {
    await new Promise((resolve) => setTimeout(resolve, 15));
    yield piece;
  }
}

/** The whole answer. */
export function offlineAnswer(messages: readonly Message[]): string {
  const asked = textOf(messages.at(-1));
  const say = /\p{sc=Han}/u.test(asked) ? CHINESE : ENGLISH;
  const known = messages.slice(0, -1).flatMap(knowledge);
  if (GREETING.test(asked.trim())) {
    return say.greeting;
  }
  if (!isQuestion(asked)) {
    return say.noted(short(asked));
  }
  const remembered = known.filter(({ from }) => from === "memory").map(({ text }) => text);
  if (ABOUT_EVERYTHING.test(asked) && remembered.length > 0) {
    return say.everything(remembered);
  }
  const best = closest(asked, known);
  return best.length > 0 ? best.map(say.found).join(" ") : say.unknown(remembered.slice(0, 3));
}

const ENGLISH = {
  greeting: "Hello! Tell me something about yourself, or ask me what I remember.",
  noted: (text: string) =>
    `Noted: “${text}”. When this session ends, I settle what is worth keeping into memory.`,
  everything: (memories: string[]) => `This is what I remember:\n${list(memories)}`,
  found: ({ text, from }: Known) =>
    ({
      memory: `From what I remember: “${text}”.`,
      summary: `From the summary of our conversation: “${text}”.`,
      history: `You said earlier in this session: “${text}”.`,
    })[from],
  unknown: (memories: string[]) =>
    memories.length === 0
      ? "I don't know that yet."
      : `I don't know that yet. What I do remember:\n${list(memories)}`,
};

const CHINESE: typeof ENGLISH = {
  greeting: "你好！跟我说说你自己，或者问问我记得什么。",
  noted: (text) => `记下了：“${text}”。这次会话结束时，值得留下的内容会沉淀为记忆。`,
  everything: (memories) => `我记得这些：\n${list(memories)}`,
  found: ({ text, from }) =>
    ({
      memory: `我记得：“${text}”。`,
      summary: `对话摘要里提到：“${text}”。`,
      history: `你刚才说过：“${text}”。`,
    })[from],
  unknown: (memories) =>
    memories.length === 0 ? "这个我还不知道。" : `这个我还不知道。我记得的是：\n${list(memories)}`,
};

const GREETING = /^(hi|hello|hey|good (morning|afternoon|evening)|你好|您好|嗨)[!.。！\s]*$/i;
const ABOUT_EVERYTHING =
  /what (do|can) you (know|remember)|know about me|who am i|(记得|知道|了解)我(什么|哪些|多少)|你(记得|知道)(什么|哪些)|我是谁/i;
const QUESTION =
  /[?？]\s*$|^(what|where|when|who|whose|which|why|how|do|does|did|is|are|am|can|could|will|would|tell me|remind me)\b|(吗|呢|什么|哪|谁|几点|几个|怎么|为什么|多少)/i;

function isQuestion(text: string): boolean {
  return QUESTION.test(text.trim());
}

/** What a message tells: the memories of the memory block, the user's own statements. */
function knowledge(message: Message): Known[] {
  const text = textOf(message);
  const lines = text.split("\n").filter((line) => !/^<\/?[a-z_]+>$/.test(line));
  const name = "name" in message ? message.name : undefined;
  if (name === "siltstone_memory") {
    const memories = lines.filter((line) => line.startsWith("- "));
    return memories.map((line) => ({
      text: line.replace(/^- (\[[\d-]+\] )?/, "").replace(/[.。]$/, ""),
      from: "memory" as const,
    }));
  }
  if (name === "siltstone_summary") {
    return lines.slice(1).map((line) => ({ text: line, from: "summary" as const }));
  }
  return message.role === "user" && !isQuestion(text)
    ? [{ text: short(text), from: "history" }]
    : [];
}

/** What has most words in common with the question, rare words counting more; at most two. */
function closest(question: string, known: Known[]): Known[] {
  const asked = terms(question);
  const candidates = known.map((one) => ({ one, words: terms(one.text) }));
  const weight = (word: string) => {
    const holding = candidates.filter(({ words }) => words.has(word)).length;
    return Math.log(1 + candidates.length / Math.max(1, holding));
  };
  const scored = candidates
    .map(({ one, words }) => {
      const shared = [...asked].filter((word) => words.has(word));
      return { one, score: shared.reduce((sum, word) => sum + weight(word), 0) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const enough = (scored[0]?.score ?? 0) * 0.8;
  const texts = new Map(
    scored.filter(({ score }) => score >= enough).map(({ one }) => [one.text, one]),
  );
  return [...texts.values()].slice(0, 2);
}

const STOP_WORDS = new Set(
  "a about all am an and are at be been but can could did do does for from had has have how i if in is it its me my of on or our please remember tell that the their them they this to user was we were what when where which who why will with would you your".split(
    " ",
  ),
);
const STOP_HAN =
  /什么|哪里|哪儿|哪个|怎么|多少|请问|记得|知道|用户|[我你他她它的了吗呢是谁和也都请]/g;

/** The words of a text without their endings, and pairs of neighbours where words have no spaces. */
function terms(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.flatMap((word) => (/\p{sc=Han}/u.test(word) ? pairs(word) : stem(word))));
}

function stem(word: string): string[] {
  if (STOP_WORDS.has(word)) {
    return [];
  }
  return [word.replace(/(?<=...)(ing|ed|es|s|e)$/, "").slice(0, 6)];
}

function pairs(text: string): string[] {
  return text
    .replace(STOP_HAN, " ")
    .split(/\s+/)
    .flatMap((run) => Array.from(run, (char, index) => char + (run[index + 1] ?? "")))
    .filter((pair) => pair.length === 2);
}

function textOf(message: Message | undefined): string {
  const content = message?.content ?? "";
  if (typeof content === "string") {
    return content;
  }
  return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

function short(text: string): string {
  const line = text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[.。]$/, "");
  const chars = Array.from(line);
  return chars.length > 160 ? `${chars.slice(0, 160).join("")}…` : line;
}

function list(lines: string[]): string {
  return lines.map((line) => `• ${line}`).join("\n");
}
