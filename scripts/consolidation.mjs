// Measures what the rules keep where no language model judges, on long conversations in LoCoMo's
// format: of the turns that the data's observations come from, and of all turns.
//
//   node scripts/consolidation.mjs FOLDER
//
// The rules read only what the user says, so each speaker is the user once.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Siltstone } from "../dist/package/entries/node.js";
import { memoryHost } from "../dist/package/hosts/memory.js";

const [, , folder] = process.argv;
if (!folder) {
  process.stderr.write("use: make consolidation DATA=folder-of-json-files\n");
  process.exit(2);
}

function sources(observations) {
  const lines = Object.values(observations ?? {}).flat();
  return lines.flatMap(([, evidence]) => String(evidence).match(/D\d+:\d+/g) ?? []);
}

/** Ids of one speaker's turns: all, those behind observations, those that the rules keep. */
async function consolidate(conversation, speaker) {
  const clock = { now: 0 };
  const memory = await Siltstone.create({
    host: { ...memoryHost(), now: () => clock.now, log: () => {} },
    config: { judge: { mode: "rules" }, summary: { minMessages: 100_000 } },
  });
  const all = new Set();
  const observed = new Set();
  const kept = new Set();
  for (let number = 1; conversation[`session_${number}_date_time`]; number += 1) {
    const turns = conversation[`session_${number}`];
    if (!turns) continue;
    clock.now += 86_400_000;
    const messages = turns.map((turn) => ({
      id: turn.dia_id,
      role: turn.speaker === speaker ? "user" : "assistant",
      name: turn.speaker,
      content: turn.text,
      createdAt: clock.now,
    }));
    const own = new Set(messages.filter(({ role }) => role === "user").map(({ id }) => id));
    for (const id of own) all.add(id);
    for (const id of sources(conversation[`session_${number}_observation`])) {
      if (own.has(id)) observed.add(id);
    }
    const scope = { user: speaker, session: `session_${number}` };
    await memory.append(scope, messages);
    const { stored, merged } = await memory.endSession(scope);
    const ids = stored.flatMap(({ messageIds }) => messageIds);
    for (const id of ids) kept.add(id);
    if (merged.length > 0) {
      const { memories } = await memory.memories({ user: speaker }).list({ limit: 1000 });
      for (const id of memories.flatMap(({ messageIds }) => messageIds)) {
        if (own.has(id)) kept.add(id);
      }
    }
  }
  memory.close();
  return { all, observed, kept };
}

const share = (part, whole) => (part / Math.max(whole, 1)).toFixed(4);
const sums = { turns: 0, observed: 0, kept: 0, both: 0 };
const names = (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
for (const name of names) {
  const conversation = JSON.parse(await readFile(join(folder, name), "utf8"));
  for (const speaker of [conversation.speaker_a, conversation.speaker_b]) {
    const { all, observed, kept } = await consolidate(conversation, speaker);
    const both = [...kept].filter((id) => observed.has(id)).length;
    sums.turns += all.size;
    sums.observed += observed.size;
    sums.kept += kept.size;
    sums.both += both;
    console.log(
      `${name} ${speaker}: ${share(both, observed.size)} of ${observed.size} turns with an observation, ${share(kept.size, all.size)} of ${all.size} turns kept`,
    );
  }
}
console.log(
  `covered=${share(sums.both, sums.observed)} kept=${share(sums.kept, sums.turns)} precision=${share(sums.both, sums.kept)} base=${share(sums.observed, sums.turns)} turns=${sums.turns}`,
);
