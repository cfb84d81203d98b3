// The end of a session whose judge proposes many memories: { candidates, known }.

import { answer, options, timed } from "../lib/measure.mjs";
import { memoryHost, Siltstone, wasmBytes } from "../lib/own.mjs";
import { Dice } from "../lib/random.mjs";

const { candidates, known } = options();
/** One in so many says what another has said, in capitals. */
const REPEATED = 10;

/** As a judge writes them: of one person, much alike, no two the same. */
function fact(number) {
  const isRepeated = number % REPEATED === REPEATED - 1;
  const dice = new Dice(5e6 + (isRepeated ? number - 1 : number));
  const text = `User keeps ${dice.sentence(4)} and ${dice.word()} for the ${dice.sentence(3)} with ${dice.word()}`;
  return isRepeated ? `${text.toUpperCase()}!` : text;
}

const proposals = (from, to) =>
  Array.from({ length: to - from }, (_, at) => ({
    content: fact(from + at),
    category: "other",
    importance: 5,
    scope: "user",
  }));

let next = [];
const judge = async ({ purpose, messages }) => {
  if (purpose !== "judge") {
    throw new Error("only judging is scripted");
  }
  const messageIds = [...messages.at(-1).content.matchAll(/"id"\s*:\s*"?([^",}\s]+)/g)];
  const from = messageIds.length > 0 ? { messageIds: [messageIds.at(-1)[1]] } : {};
  return JSON.stringify({ memories: next.map((one) => ({ ...one, ...from })) });
};
const host = memoryHost({ log: () => {} });
const memory = await Siltstone.create({
  host,
  llm: judge,
  config: { agent: { longMemory: true, model: "gpt-4o" }, life: { maxHot: 1_000_000 } },
});
await memory.countTokens({ text: "Hello" });

async function end(session, memories) {
  const scope = { user: "ana", session };
  const talk = ["Here is what I know.", "Go on.", "That was all."].map((content, at) => ({
    id: `${session}-${at}`,
    role: at === 1 ? "assistant" : "user",
    content: `${content} ${session}`,
  }));
  await memory.append(scope, talk);
  next = memories;
  return timed(() => memory.endSession(scope));
}

if (known > 0) {
  await end("before", proposals(candidates, candidates + known));
}
const { ms, result } = await end("now", proposals(0, candidates));
answer({
  ms,
  stored: result.stored?.length,
  merged: result.merged?.length,
  megabytes: wasmBytes() / 2 ** 20,
});
