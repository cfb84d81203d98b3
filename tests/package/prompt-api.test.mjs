// Chrome's Prompt API. Chromium as distributions build it has no model, so the answers come from an
// object of the documented shape. tests/e2e/prompt-api.test.mjs asks the browser's own.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { importFrom, installPackage } from "./support.mjs";

let promptApi;
before(async () => {
  ({ promptApi } = await importFrom(installPackage(), "siltstone/llm/prompt-api"));
});

/** What the browser gives as `LanguageModel`. */
class LanguageModelStandIn {
  state = "available";
  created = [];
  prompted = [];
  open = 0;
  answer = async () => "[]";

  async availability(options) {
    this.core = options;
    return this.state;
  }

  async create({ monitor, signal, ...options }) {
    signal.throwIfAborted();
    this.created.push(options);
    if (this.state !== "available") {
      const target = new EventTarget();
      monitor(target);
      for (const loaded of [0, 0.5, 1]) {
        target.dispatchEvent(Object.assign(new Event("downloadprogress"), { loaded }));
      }
    }
    this.open += 1;
    return {
      prompt: async (input, { signal: _, ...constraint } = {}) => {
        this.prompted.push({ input, ...constraint });
        return this.answer();
      },
      destroy: () => {
        this.open -= 1;
      },
    };
  }
}

const request = (options = {}) => ({
  purpose: "judge",
  messages: [
    { role: "system", content: "You judge." },
    { role: "user", content: "Judge this." },
  ],
  json: true,
  schema: { type: "object" },
  maxTokens: 100,
  timeoutMs: 1_000,
  signal: new AbortController().signal,
  ...options,
});
const failsWith = (reason) => (error) => {
  assert.deepEqual([error.code, error.details?.reason], ["llm_failed", reason]);
  return true;
};

test("starts a session with the system text, asks under the schema and ends it", async () => {
  const api = new LanguageModelStandIn();
  assert.equal(await promptApi({ api, languages: ["en"] })(request()), "[]");
  const text = [{ type: "text", languages: ["en"] }];
  const core = { expectedInputs: text, expectedOutputs: text };
  assert.deepEqual(api.core, core);
  const [system] = request().messages;
  assert.deepEqual(api.created, [{ ...core, initialPrompts: [system] }]);
  assert.deepEqual(api.prompted, [
    { input: "Judge this.", responseConstraint: { type: "object" } },
  ]);
  await promptApi({ api })(request({ json: false }));
  assert.deepEqual(api.prompted[1], { input: "Judge this." });
  assert.equal(api.open, 0);
});

test("downloads the model only where that is wanted, and tells how far it is", async () => {
  for (const state of ["downloadable", "downloading"]) {
    const api = Object.assign(new LanguageModelStandIn(), { state });
    await assert.rejects(promptApi({ api })(request()), failsWith("not_downloaded"));
    assert.deepEqual(api.created, []);
    const loaded = [];
    const onProgress = (part) => loaded.push(part);
    assert.equal(await promptApi({ api, download: true, onProgress })(request()), "[]");
    assert.deepEqual(loaded, [0, 0.5, 1]);
  }
});

test("fails where there is no model", async () => {
  await assert.rejects(promptApi()(request()), failsWith("unavailable"));
  const api = Object.assign(new LanguageModelStandIn(), { state: "unavailable" });
  await assert.rejects(promptApi({ api, download: true })(request()), failsWith("unavailable"));
});

test("tells a text that is too long, a refusal and an empty answer apart", async () => {
  const api = new LanguageModelStandIn();
  for (const [name, reason] of Object.entries({
    QuotaExceededError: "quota",
    NotReadableError: "refused",
    NotAllowedError: "not_downloaded",
    UnknownError: "unavailable",
  })) {
    api.answer = async () => {
      throw new DOMException("it failed", name);
    };
    await assert.rejects(promptApi({ api })(request()), failsWith(reason));
  }
  api.answer = async () => " ";
  await assert.rejects(promptApi({ api })(request()), failsWith("empty"));
  assert.equal(api.open, 0);
});

test("stops when the signal aborts, and leaves no session open", async () => {
  const api = new LanguageModelStandIn();
  const controller = new AbortController();
  api.answer = async () => {
    controller.abort(new Error("given up"));
    throw new DOMException("aborted", "AbortError");
  };
  await assert.rejects(promptApi({ api })(request({ signal: controller.signal })), /given up/);
  await assert.rejects(promptApi({ api })(request({ signal: controller.signal })), /given up/);
  assert.equal(api.open, 0);
});
