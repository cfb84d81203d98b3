// What the applications that the tests kill are made of: everything outside is on loopback, and times
// are short, so that what was cut off is taken up again soon.

/** The users, and the agent that each talks to. */
export const LOCAL = { user: "ana", agent: "coach" };
export const SERVICE = { user: "mo", agent: "guide" };

/** How long an application waits until it ends a session, and asks again when that is busy. */
export const IDLE_MS = 50;
export const BUSY_MS = 300;

/** What `Siltstone.create` takes beside the host. */
export function optionsOf({ openAiCompatible, qdrant, memos }, { LLM_URL, QDRANT_URL, MEMOS_URL }) {
  return {
    llm: openAiCompatible({ baseUrl: LLM_URL, apiKey: "sk-test", model: "scripted" }),
    embed: async (texts) => texts.map(vectorOf),
    vectors: qdrant({ baseUrl: QDRANT_URL }),
    providers: { memos: memos({ baseUrl: MEMOS_URL }) },
    config: {
      agent: { longMemory: true, model: "scripted" },
      agents: { [SERVICE.agent]: { provider: "memos" } },
      dedup: { askSevere: false },
      memos: { relativity: 0 },
      sessionEnd: { lockMs: 2_000 },
      outbox: {
        maxAttempts: 100,
        backoffMs: 100,
        maxBackoffMs: 500,
        timeoutMs: 1_500,
        leaseMs: 2_000,
      },
    },
  };
}

const DIMENSIONS = 64;

/** A vector that no other text comes near. */
export function vectorOf(text) {
  let state = 2_166_136_261;
  for (const character of text) state = Math.imul(state ^ character.codePointAt(0), 16_777_619);
  return Float32Array.from({ length: DIMENSIONS }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

/** What an application tells of its store. */
export async function stateOf(memory) {
  const { memories } = await memory
    .memories({ user: LOCAL.user })
    .list({ includeInvalid: true, limit: 1_000 });
  const { effects: waiting } = await memory.outbox.list();
  const { effects: dead } = await memory.outbox.deadLetters();
  return { memories, waiting, dead };
}
