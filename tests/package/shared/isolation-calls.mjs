// What somebody can try with the ids of another's data.

/** In every text of the victims. */
export const MARK = "zanzibar";

const OWN = "what is somebody's own";
const OPERATOR = "for whoever runs the application: names no one's data by id";

/**
 * Every method, with what it is tried with and what it must answer to somebody who has nothing. A
 * method without an entry fails the check. `code`: the error; `gives`: the answer; `not`: why it is
 * not tried.
 */
export const CALLS = {
  Siltstone: {
    load: {
      call: (m, scope, { session }) => m.load({ scope: { ...scope, session }, message: MARK }),
      gives: ({ messages, report }) =>
        messages.length === 1 && report.recall.hits.length + report.recall.dropped.length === 0,
    },
    messages: {
      call: (m, scope, { session }) => m.messages({ ...scope, session }),
      gives: ({ messages }) => messages.length === 0,
    },
    removeMessages: {
      call: (m, scope, { session, message }) => m.removeMessages({ ...scope, session }, [message]),
      gives: ({ removed }) => removed.length === 0,
    },
    clearSession: {
      call: (m, scope, { session }) => m.clearSession({ ...scope, session }),
      gives: ({ removed }) => removed === 0,
    },
    recall: {
      call: (m, scope) => m.recall(scope, MARK, { cold: true, limit: 1_000 }),
      gives: ({ hits, text }) => hits.length === 0 && !text.includes(MARK),
    },
    sessions: {
      call: (m, scope) => m.sessions(scope),
      gives: ({ sessions }) => sessions.length === 0,
    },
    summary: {
      call: (m, scope, { session }) => m.summary({ ...scope, session }),
      gives: ({ text, through }) => text === null && through === null,
    },
    endSession: {
      call: (m, scope, { session }) => m.endSession({ ...scope, session }),
      gives: ({ status }) => status === "nothing_new",
    },
    export: {
      call: async (m, scope) => {
        const lines = [];
        for await (const line of m.export(scope)) lines.push(line);
        return lines;
      },
      gives: (lines) => lines.length === 1 && !lines[0].includes(MARK),
    },
    append: { not: OWN },
    import: { not: OWN },
    forgetUser: { not: OWN },
    memories: { not: "the calls below" },
    maintain: { not: OPERATOR },
    replay: { not: OPERATOR },
    counter: { not: "reads nothing" },
    countTokens: { not: "reads nothing" },
    fits: { not: "reads nothing" },
    close: { not: "reads nothing" },
  },
  Memories: {
    list: {
      call: (m, scope) => m.memories(scope).list({ includeInvalid: true }),
      gives: ({ memories, total }) => memories.length + total === 0,
    },
    get: { call: (m, scope, { memory }) => m.memories(scope).get(memory), code: "not_found" },
    update: {
      call: (m, scope, { memory }) => m.memories(scope).update(memory, { content: "Changed" }),
      code: "not_found",
    },
    revert: {
      call: (m, scope, { memory, old }) => m.memories(scope).revert(memory, old),
      code: "not_found",
    },
    pin: { call: (m, scope, { memory }) => m.memories(scope).pin(memory), code: "not_found" },
    unpin: { call: (m, scope, { memory }) => m.memories(scope).unpin(memory), code: "not_found" },
    forget: {
      call: (m, scope, { memory }) => m.memories(scope).forget(memory, { hard: true }),
      code: "not_found",
    },
    restore: {
      call: (m, scope, { forgotten }) => m.memories(scope).restore(forgotten),
      code: "not_found",
    },
    allow: { call: (m, scope, { held }) => m.memories(scope).allow(held), code: "not_found" },
    history: {
      call: (m, scope, { memory }) => m.memories(scope).history(memory),
      code: "not_found",
    },
    pinCandidates: {
      call: (m, scope) => m.memories(scope).pinCandidates(),
      gives: ({ candidates }) => candidates.length === 0,
    },
    stats: {
      call: (m, scope) => m.memories(scope).stats(),
      gives: (stats) => Object.values(stats).every((count) => count === 0),
    },
    questions: {
      call: (m, scope) => m.memories(scope).questions(),
      gives: ({ questions }) => questions.length === 0,
    },
    answer: {
      call: (m, scope, { question }) => m.memories(scope).answer(question, "new"),
      code: "not_found",
    },
    add: { not: OWN },
  },
  Outbox: {
    list: {
      call: (m, scope) => m.outbox.list({ scope }),
      gives: ({ effects }) => effects.length === 0,
    },
    deadLetters: {
      call: (m, scope) => m.outbox.deadLetters({ scope }),
      gives: ({ effects }) => effects.length === 0,
    },
    redrive: {
      call: (m, scope, { dead }) => m.outbox.redrive({ scope, id: dead }),
      code: "not_found",
    },
    discard: {
      call: (m, scope, { waiting }) => m.outbox.discard(scope, waiting),
      code: "not_found",
    },
  },
};
