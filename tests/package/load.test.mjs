// Many conversations at a time with the chat app in workerd: nothing that was said is lost. For longer
// runs, and how long each request takes: make load.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { load } from "../../scripts/lib/load.mjs";
import { startServer } from "../../scripts/lib/server.mjs";

let server;

before(async () => {
  server = await startServer();
});
after(() => server?.dispose());

test("nothing is lost or doubled under load", { timeout: 240_000 }, async (t) => {
  const result = await load(server.url, { seconds: 5, sessions: 60 });
  t.diagnostic(JSON.stringify(result));
  const { sessions, messages, remembered, explained } = result;
  assert.ok(sessions >= 60);
  assert.equal(messages, sessions * 6);
  const { lostMessages, lostFacts, doubled, errors } = result;
  assert.deepEqual(
    { lostMessages, lostFacts, doubled, errors },
    { lostMessages: [], lostFacts: [], doubled: [], errors: {} },
  );
  assert.equal(remembered + explained, sessions);
});
