// The chat page in Chromium: tell something, begin a new session, ask, correct, forget, take back.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startServer } from "../../scripts/lib/server.mjs";
import { launch } from "./support.mjs";

let server;
let browser;

before(async () => {
  [server, browser] = await Promise.all([startServer(), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.dispose();
});

/** Opens the page as somebody new; fails the test when the page logs an error. */
async function open(t, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const errors = [];
  page.on("pageerror", (error) => errors.push(`${error}`));
  page.on("console", (message) => {
    // Answers with an error status are what some tests are about.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      errors.push(message.text());
    }
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(errors, []);
  });
  await page.goto(server.url);
  await page.getByText("Tell me something about you.").waitFor();
  return page;
}

/** Says something and gives the whole answer. */
async function say(page, text) {
  await page.getByLabel("Your message").fill(text);
  await page.keyboard.press("Enter");
  const answer = page.locator(".message.assistant .text").last();
  await page.locator("#send:enabled").waitFor();
  return answer.textContent();
}

async function newSession(page) {
  await page.getByRole("button", { name: "New session" }).first().click();
  await page.getByText("Settling memories…").waitFor();
  await page.locator("#send:enabled").waitFor();
  await page.getByText(/^Session settled/).waitFor();
}

test("what was told is remembered in a new session, shown, and forgotten on request", async (t) => {
  const page = await open(t);
  const memory = page.locator("#memory-list .memory");
  await page.getByText("Nothing yet.").waitFor();
  assert.match(await say(page, "I live in Hangzhou."), /Noted/);

  await newSession(page);
  await memory.getByText("Hangzhou").waitFor();
  assert.match(await say(page, "Where do I live?"), /remember.*Hangzhou/);

  await page.getByRole("button", { name: /What the model saw/ }).click();
  const turn = page.locator("#turn");
  await turn.getByText(/of 64,000 tokens/).waitFor();
  await turn.locator("li", { hasText: "Hangzhou" }).first().waitFor();

  await page.getByRole("button", { name: "Memory" }).click();
  await memory.getByRole("button", { name: "Pin" }).click();
  await memory.getByText("pinned").waitFor();
  await memory.getByRole("button", { name: "Forget" }).click();
  await page.getByText("Nothing yet.").waitFor();

  await newSession(page);
  assert.match(await say(page, "Where do I live?"), /don't know/);
});

test("what was forgotten is taken back, or deleted for good", async (t) => {
  const page = await open(t);
  const memory = page.locator("#memory-list .memory");
  const forgotten = page.locator("#forgotten");
  await say(page, "I live in Hangzhou.");
  await newSession(page);
  await memory.getByRole("button", { name: "Forget" }).click();
  await page.getByText("Nothing yet.").waitFor();
  await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
  await memory.getByText("Hangzhou").waitFor();
  assert.equal(await page.getByRole("button", { name: "Undo" }).count(), 0);
  assert.match(await say(page, "Where do I live?"), /remember.*Hangzhou/);

  await memory.getByRole("button", { name: "Forget" }).click();
  await forgotten.getByText("Forgotten 1").click();
  await forgotten.getByRole("button", { name: "Remember again" }).click();
  await memory.getByText("Hangzhou").waitFor();
  await forgotten.waitFor({ state: "hidden" });

  await memory.getByRole("button", { name: "Forget" }).click();
  await forgotten.getByRole("button", { name: "Delete" }).click();
  await forgotten.getByRole("button", { name: "Keep" }).click();
  await forgotten.getByRole("button", { name: "Delete" }).click();
  await forgotten.getByRole("button", { name: "Delete for good" }).click();
  await forgotten.waitFor({ state: "hidden" });
  await page.getByText("Nothing yet.").waitFor();
});

test("what was archived is shown apart", async (t) => {
  const page = await open(t);
  await say(page, "I live in Hangzhou and work as a nurse.");
  await page.route("**/api/memories?*", async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    const archived = json.memories.find(({ content }) => content.includes("nurse"));
    archived.temperature = "cold";
    json.stats = { ...json.stats, hot: 1, cold: 1 };
    await route.fulfill({ response, json });
  });
  await newSession(page);
  await page.locator("#memory-list .memory").getByText("Hangzhou").waitFor();
  assert.equal(await page.locator("#memory-list .memory").count(), 1);
  const nurse = page.locator("#archive .memory").getByText("nurse");
  assert.equal(await nurse.isVisible(), false);
  await page.getByText("Archive 1").click();
  await nurse.waitFor();
});

test("a contradiction is asked about, and the answer holds", async (t) => {
  const page = await open(t);
  const memory = page.locator("#memory-list .memory");
  const question = page.locator("#question-list .question");
  await say(page, "My birthday is on May 5.");
  await newSession(page);
  await say(page, "My birthday is on May 6.");
  await newSession(page);
  await page.getByText("1 question for you").waitFor();
  await question.waitFor();
  assert.match(await question.getAttribute("aria-label"), /May 5.*May 6/);
  assert.equal(await memory.count(), 2);
  await question.getByRole("button", { name: "May 6" }).click();
  await question.waitFor({ state: "detached" });
  assert.equal(await memory.count(), 1);
  await memory.getByText("May 6").waitFor();
  const answer = await say(page, "When is my birthday?");
  assert.match(answer, /May 6/);
  assert.doesNotMatch(answer, /May 5/);
});

test("a memory is edited, and its earlier version can be read and taken back", async (t) => {
  const page = await open(t);
  await say(page, "My favourite colour is green.");
  await newSession(page);
  const memory = page.locator("#memory-list .memory");
  await memory.getByRole("button", { name: "Edit" }).click();
  await memory.getByLabel("The memory's text").fill("The user's favourite colour is <b>blue</b>.");
  await page.keyboard.press("Enter");
  await memory.getByText("<b>blue</b>").waitFor();
  await memory.getByRole("button", { name: "History" }).click();
  await memory.locator(".versions .old").getByText("green").waitFor();
  await memory.getByRole("button", { name: "Go back to this" }).click();
  await memory.locator("> .content").getByText("green").waitFor();
  await memory.getByRole("button", { name: "History" }).click();
  await memory.locator(".versions .old").getByText("<b>blue</b>").waitFor();
  assert.equal(await memory.locator(".versions li").count(), 3);
});

test("sessions can be opened again, also after the page was", async (t) => {
  const page = await open(t);
  await say(page, "I live in Hangzhou.");
  await newSession(page);
  await say(page, "Where do I live?");
  await page.reload();
  await page.locator(".message.user", { hasText: "Where do I live?" }).waitFor();
  await page.locator("#session-list button").nth(1).click();
  await page.locator(".message.user", { hasText: "I live in Hangzhou." }).waitFor();
  assert.equal(await page.locator(".message").count(), 2);
});

test("an error says what happened, and trying again goes on", async (t) => {
  const page = await open(t);
  await page.route(
    "**/api/chat",
    (route) =>
      route.fulfill({
        status: 503,
        json: { error: { code: "store_failed", message: "The store failed." } },
      }),
    { times: 1 },
  );
  await page.getByLabel("Your message").fill("I live in Hangzhou.");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("The store failed.").waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator(".message.assistant .text", { hasText: "Noted" }).waitFor();
  assert.equal(await page.locator(".message.user").count(), 1);
});

test("on a phone, each view has its place and nothing sticks out", async (t) => {
  const page = await open(t, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  await say(page, "I live in Hangzhou, and this is a longwordwithoutanyspace".padEnd(200, "x"));
  for (const view of ["Sessions", "Memory", "Last turn", "Chat"]) {
    await page.getByRole("navigation").getByRole("button", { name: view }).click();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 360, `${view} is ${width} px wide`);
  }
});
