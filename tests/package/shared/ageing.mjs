// Memories that are worth forgetting after a while, and a clock that can be put forward. Nothing of
// Node here; it runs in every runtime.

const MONTHS = 400 * 86_400_000;
const user = { user: "ana" };
const PASSING = [
  "Saw a heron by the canal",
  "The printer on the third floor was jammed",
  "Bought twelve lemons",
  "Missed the early ferry",
  "A neighbour played the cello",
];

/** An instance over this host that knows one lasting thing and five passing ones. */
export async function age(Siltstone, host) {
  let ahead = 0;
  const now = () => Date.now() + ahead;
  const memory = await Siltstone.create({ host: { ...host, now } });
  const memories = memory.memories(user);
  const { memory: lasting } = await memories.add({
    content: "Allergic to peanuts",
    importance: 10,
  });
  await memories.pin(lasting.id);
  for (const content of PASSING) {
    await memories.add({ content, importance: 1 });
  }
  return {
    memory,
    /** Puts the clock forward by more than a year. */
    later: () => {
      ahead = MONTHS;
    },
  };
}

/** How many memories are in ordinary recall, and how many were archived or forgotten. */
export async function figures(memory) {
  const { hot, cold, forgotten } = await memory.memories(user).stats();
  return { hot, gone: cold + forgotten };
}
