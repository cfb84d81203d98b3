// A Node.js application over one database. When it starts it ends the sessions that are there, and
// makes up for what is left to do.

import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { Siltstone } from "siltstone";
import { openAiCompatible } from "siltstone/llm/openai";
import { every } from "siltstone/maintain";
import { memos } from "siltstone/providers/memos";
import { qdrant } from "siltstone/vectors/qdrant";
import { openHost } from "./host.mjs";
import { BUSY_MS, IDLE_MS, LOCAL, optionsOf, SERVICE, stateOf } from "./options.mjs";

const memory = await Siltstone.create({
  host: await openHost(),
  ...optionsOf({ openAiCompatible, qdrant, memos }, process.env),
});

async function end(scope) {
  await sleep(IDLE_MS);
  while ((await memory.endSession(scope)).status === "busy") await sleep(BUSY_MS);
}

const ACTIONS = {
  "/say": async ({ scope, messages }) => {
    await memory.append(scope, messages);
    end(scope);
    return null;
  },
  "/end": ({ scope }) => memory.endSession(scope),
  "/messages": ({ scope }) => memory.messages(scope),
  "/state": () => stateOf(memory),
};

for (const user of [LOCAL, SERVICE]) {
  for (const { session } of (await memory.sessions(user)).sessions) end({ ...user, session });
}
every(memory, { intervalMs: 200 });

const server = createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  response.end(JSON.stringify(await ACTIONS[request.url](JSON.parse(text))));
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
