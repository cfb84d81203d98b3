// A Worker that makes its instance when its module is loaded, where workerd allows neither random
// values nor I/O nor timers.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { installPackage, request, startWorker } from "./support.mjs";

let folder;

before(() => {
  folder = installPackage();
});

for (const [name, create] of Object.entries({
  "awaited there": "await Siltstone.create(options)",
  "awaited by each request": "Siltstone.create(options)",
})) {
  test(`an instance made at the top level, ${name}, serves requests`, async () => {
    const code = `
      import { env } from "cloudflare:workers";
      import { Siltstone } from "siltstone";
      import { cloudflareHost } from "siltstone/hosts/cloudflare";
      import { scheduled } from "siltstone/maintain";
      const options = { host: cloudflareHost(env), config: { agent: { longMemory: true, model: "any" } } };
      const memory = ${create};
      export default {
        async fetch(request) {
          const { say, scope } = await request.json();
          const ready = await memory;
          const turn = await ready.load({ scope, message: say });
          await ready.append(scope, [{ role: "user", content: say }]);
          await ready.endSession(scope);
          return Response.json(turn.messages);
        },
        scheduled: scheduled(() => memory),
      };
    `;
    const worker = await startWorker(folder, code);
    const post = async (session, say) => {
      const body = JSON.stringify({ say, scope: { user: "ana", session } });
      const response = await request(worker.url, { method: "POST", body });
      return response.json();
    };
    try {
      await post("monday", "I live in Hangzhou.");
      const [profile, message] = await post("tuesday", "Where do I live?");
      assert.match(profile.content, /Hangzhou/);
      assert.equal(message.content, "Where do I live?");
    } finally {
      await worker.dispose();
    }
  });
}
