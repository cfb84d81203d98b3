// A key fact in the middle of far more talk than the window holds: it must be found again after the
// session ended and a new one began. Nothing of Node here; it runs in every runtime.

const TURNS = 400;
const WINDOW = 4_000;
const TOPICS = ["tides", "bridges", "moss", "maps", "looms", "comets", "salt", "clocks"];

/** What the person said once, in the middle. */
const FACT = "By the way, my sister Ines is a glassblower in Murano.";

function turn(number) {
  const topic = TOPICS[number % TOPICS.length];
  return [
    { role: "user", content: `Question ${number}: what is there to know about ${topic}?` },
    {
      role: "assistant",
      content:
        `Answer ${number}: there is much to know about ${topic}, its history, its uses, and the people who care about it. `.repeat(
          3,
        ),
    },
  ];
}

/** Runs the dialogue over a host; throws where memory fails. Gives some figures. */
export async function buryAndFind(Siltstone, host) {
  const memory = await Siltstone.create({
    host,
    config: {
      window: { maxTokens: WINDOW },
      summary: { maxTokens: 500 },
      agent: { longMemory: true, model: "any" },
    },
  });
  const long = { user: "ana", session: "long" };
  for (let number = 0; number < TURNS; number += 20) {
    const messages = [];
    for (let at = number; at < number + 20; at += 1) messages.push(...turn(at));
    if (number === TURNS / 2) {
      messages.push({ role: "user", content: FACT }, { role: "assistant", content: "Noted." });
    }
    await memory.append(long, messages);
  }
  const has = (turn, text) => turn.messages.some(({ content }) => content.includes(text));
  const during = await memory.load({ scope: long, message: "Where does my sister work?" });
  expect(!has(during, "Murano"), "the fact is still in the window: the talk is too short");
  expect(during.report.tokens.total <= WINDOW, "the window is over its budget");

  const report = await memory.endSession(long);
  expect(report.status === "done", `the session ended ${report.status}`);
  const next = { user: "ana", session: "next" };
  const turnAfter = await memory.load({ scope: next, message: "Where does my sister work?" });
  expect(has(turnAfter, "Murano"), "the fact was lost");
  expect(turnAfter.report.tokens.total <= WINDOW, "the window is over its budget");
  const { hits } = await memory.recall({ user: "ana" }, "my sister Ines");
  expect(hits[0]?.memory.content.includes("Murano"), "recall does not find the fact first");
  const stranger = await memory.load({
    scope: { user: "bob", session: "next" },
    message: "Where does my sister work?",
  });
  expect(!has(stranger, "Murano"), "another user sees the fact");
  const { messages } = await memory.messages(long, { limit: 1_000 });
  memory.close();
  return { messages: messages.length, stored: report.stored.length };
}

function expect(holds, fault) {
  if (!holds) throw new Error(fault);
}
