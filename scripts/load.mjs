// Many conversations at once with the chat app in Cloudflare's runtime, over HTTP.
//
//   node scripts/load.mjs
//
// LOAD_SECONDS (60) and LOAD_SESSIONS (200, at a time) change how much. `make build` has to come first.

import { load } from "./lib/load.mjs";
import { fail, step } from "./lib/run.mjs";
import { startServer } from "./lib/server.mjs";

const seconds = Number(process.env.LOAD_SECONDS ?? 60);
const sessions = Number(process.env.LOAD_SESSIONS ?? 200);

step(`${sessions} sessions at a time for ${seconds} s`);
const server = await startServer();
const progress = ({ talks }) => step(`${talks.length} sessions begun`);
const result = await load(server.url, { seconds, sessions, progress }).finally(server.dispose);

const { lostMessages, lostFacts, doubled, errors, latencyMs } = result;
const figures = {
  sessions: result.sessions,
  messages: result.messages,
  seconds: result.seconds.toFixed(1),
  remembered: result.remembered,
  explained: result.explained,
  lost_messages: lostMessages.length,
  lost_facts: lostFacts.length,
  doubled: doubled.length,
  errors: Object.values(errors).reduce((sum, count) => sum + count, 0),
};
for (const [name, times] of Object.entries(latencyMs)) {
  for (const [share, ms] of Object.entries(times)) {
    figures[`${name}_${share}_ms`] = Math.round(ms);
  }
}
for (const [what, count] of Object.entries(errors)) console.log(`error: ${what}: ${count}`);
for (const what of [...lostMessages, ...lostFacts, ...doubled].slice(0, 20)) console.log(what);
console.log(
  Object.entries(figures)
    .map((pair) => pair.join("="))
    .join(" "),
);
if (figures.lost_messages + figures.lost_facts + figures.doubled + figures.errors > 0) {
  fail("not everything that was said is there");
}
