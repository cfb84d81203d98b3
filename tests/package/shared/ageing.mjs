// Memories of several users that are worth forgetting by now, and a clock that stands still in the
// past until it is put right. Nothing of Node here; it runs in every runtime.

const USERS = ["ana", "bo", "cy"];
const LONG_AGO_MS = 400 * 86_400_000;
const PASSING = [
  "Saw a heron by the canal",
  "The printer on the third floor was jammed",
  "Bought twelve lemons",
  "Missed the early ferry",
  "A neighbour played the cello",
];

/** An instance over this host that knows, of each user, one lasting thing and five passing ones. */
export async function age(Siltstone, host) {
  let behind = LONG_AGO_MS;
  const now = () => Date.now() - behind;
  const memory = await Siltstone.create({ host: { ...host, now } });
  for (const user of USERS) {
    const memories = memory.memories({ user });
    const lasting = await memories.add({ content: "Allergic to peanuts", importance: 10 });
    await memories.pin(lasting.memory.id);
    for (const content of PASSING) {
      await memories.add({ content, importance: 1 });
    }
  }
  return {
    memory,
    /** Puts the clock right: from now on, more than a year has passed. */
    later: () => {
      behind = 0;
    },
  };
}

/** How many memories are in ordinary recall, and how many were archived or forgotten. */
export async function figures(memory) {
  const sum = { hot: 0, gone: 0 };
  for (const user of USERS) {
    const { hot, cold, forgotten } = await memory.memories({ user }).stats();
    sum.hot += hot;
    sum.gone += cold + forgotten;
  }
  return sum;
}

export const FRESH = { hot: 18, gone: 0 };
export const AGED = { hot: 3, gone: 15 };
