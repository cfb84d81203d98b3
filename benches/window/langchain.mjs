// LangChain.js `trimMessages` over the same session, with js-tiktoken as its token counter:
// { folder, messages, turns, maxTokens, keepsCounts }.

import { answer, options, summary, timed } from "../lib/measure.mjs";
import { from } from "../lib/peers.mjs";
import { question, talk } from "./talk.mjs";

const { folder, messages, turns, maxTokens, keepsCounts } = options();
const { AIMessage, HumanMessage, trimMessages } = await from(folder, "@langchain/core/messages");
const { Tiktoken } = await from(folder, "js-tiktoken/lite");
const ranks = (await from(folder, "js-tiktoken/ranks/o200k_base")).default;
const encoding = new Tiktoken(ranks.default ?? ranks);
const PER_MESSAGE = 4;

const counts = new Map();
const count = (text) => encoding.encode(text, [], []).length;
// By the text: it copies the messages that it is given.
const kept = (text) => {
  const known = counts.get(text) ?? count(text);
  counts.set(text, known);
  return known;
};
const tokenCounter = (list) =>
  list.reduce((sum, { content }) => sum + PER_MESSAGE + (keepsCounts ? kept : count)(content), 0);

const message = ({ role, content }) =>
  role === "user" ? new HumanMessage(content) : new AIMessage(content);
const history = talk(0, messages).map(message);
const trim = (turn) =>
  timed(() =>
    trimMessages([...history, new HumanMessage(question(turn))], {
      maxTokens,
      tokenCounter,
      strategy: "last",
      startOn: "human",
    }),
  );
count("Hello");
const first = await trim(0);
const trims = [];
for (let turn = 1; turn <= turns; turn += 1) {
  const at = messages + 2 * turn;
  history.push(...talk(at - 2, at).map(message));
  trims.push((await trim(turn)).ms);
}
answer({ first: first.ms, turn: summary(trims), shown: first.result.length });
