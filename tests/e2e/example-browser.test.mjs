// The template for the browser, as it stands in examples/browser: as Vite develops and deploys it.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build, createServer } from "vite";
import { installExample, startModel } from "../package/examples.mjs";
import { launch, serve } from "./support.mjs";

let folder;
let browser;

before(async () => {
  folder = installExample("browser");
  browser = await launch();
});
after(() => browser?.close());

/** The page of somebody new. */
async function open(t, url, prepare) {
  const context = await browser.newContext();
  t.after(() => context.close());
  if (prepare) await context.addInitScript(prepare);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const errors = [];
  page.on("pageerror", (error) => errors.push(`${error}`));
  await page.goto(url);
  await page.getByText("Tell me something about you.").waitFor();
  return { context, page, errors };
}

async function say(page, text) {
  await page.getByLabel("Your message").fill(text);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Send", disabled: false }).waitFor();
  return page.locator(".assistant").last().textContent();
}

test("deployed, it remembers over sessions, visits and tabs, without a language model", async (t) => {
  await build({ root: folder, logLevel: "warn" });
  const policy = "default-src 'self'; img-src data:; script-src 'self' 'wasm-unsafe-eval'";
  const server = await serve(join(folder, "dist"), policy);
  t.after(() => server.close());
  const { context, page, errors } = await open(t, server.url);
  assert.match(await say(page, "I live in Hangzhou."), /^No language model .*\nuser: I live in/);
  await page.getByRole("button", { name: "New session" }).click();
  await page.locator("#memories").getByText("User lives in Hangzhou").waitFor();
  assert.match(await say(page, "Where do I live?"), /\nsystem: [\s\S]*Hangzhou/);
  await say(page, "I am allergic to peanuts.");
  await page.close();

  const next = await context.newPage();
  await next.goto(server.url);
  await next.locator("#memories").getByText("peanuts").waitFor();
  assert.match(await say(next, "What may I not eat?"), /\nsystem: [\s\S]*peanuts/);
  assert.deepEqual(errors, []);
});

test("in development, it talks to the server that is entered", async (t) => {
  const model = await startModel();
  t.after(() => model.close());
  const server = await createServer({
    root: folder,
    logLevel: "warn",
    server: { host: "127.0.0.1", port: 0 },
  });
  t.after(() => server.close());
  await server.listen();
  const { page, errors } = await open(t, `http://127.0.0.1:${server.httpServer.address().port}/`);
  await page.getByText("Language model", { exact: true }).click();
  await page.getByLabel("Address").fill(model.env.OPENAI_BASE_URL);
  await page.getByLabel("Model").fill("scripted");
  await Promise.all([
    page.waitForEvent("load"),
    page.getByRole("button", { name: "Use it" }).click(),
  ]);
  await page.getByText("Tell me something about you.").waitFor();
  assert.equal(await say(page, "I live in Hangzhou."), "I don't know.");
  await page.getByRole("button", { name: "New session" }).click();
  await page.locator("#memories").getByText("User lives in Hangzhou").waitFor();
  assert.equal(await say(page, "Where do I live?"), "You live in Hangzhou.");
  assert.deepEqual(errors, []);
});
