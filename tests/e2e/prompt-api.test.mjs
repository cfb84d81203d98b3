// The browser's own language model, as far as this Chromium has one: the adapter finds it, asks it
// with options that it takes, and tells the state that it is in.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { bundle, installPackage } from "../package/support.mjs";
import { launch } from "./support.mjs";

const CODE = `
import { promptApi } from "siltstone/llm/prompt-api";
const messages = [{ role: "user", content: "Say yes." }];
const request = { purpose: "summary", messages, json: false, maxTokens: 10, timeoutMs: 20_000 };
window.ask = async () => {
  const text = [{ type: "text", languages: ["en"] }];
  const options = { expectedInputs: text, expectedOutputs: text };
  const state = (await globalThis.LanguageModel?.availability(options)) ?? "unavailable";
  const signal = AbortSignal.timeout(request.timeoutMs);
  const asked = promptApi({ languages: ["en"] })({ ...request, signal });
  return asked.then(
    (answer) => ({ state, answer }),
    ({ code, details }) => ({ state, code, reason: details?.reason }),
  );
};
`;

let server;
let browser;

before(async () => {
  const { outputFiles } = await bundle(installPackage(), CODE, ["browser"]);
  server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(`<!doctype html><script type="module">${outputFiles[0].text}</script>`);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  server?.close();
});

test("the adapter tells what state the browser's language model is in", async (t) => {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const { state, answer, code, reason } = await page.evaluate(() => window.ask());
  t.diagnostic(`the language model of Chromium ${browser.version()} is ${state}`);
  if (state === "available") {
    assert.notEqual(answer.trim(), "");
  } else {
    const expected = state === "unavailable" ? "unavailable" : "not_downloaded";
    assert.deepEqual([code, reason], ["llm_failed", expected]);
  }
});
