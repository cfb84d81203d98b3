// Writes what a store holds of a user with memories to a file: { file, memories, dimensions }.

import { writeFileSync } from "node:fs";
import { answer, options, timed } from "../lib/measure.mjs";
import { everything, memoryHost, Siltstone } from "../lib/own.mjs";
import { documents, exported, USER } from "./data.mjs";

const { file, memories, dimensions } = options();
const host = memoryHost();
const memory = await Siltstone.create({ host, config: { life: { maxHot: 1_000_000 } } });
const lines = exported(documents(memories), { dimensions, now: Date.now() });
const { ms, result } = await timed(() => memory.import(USER, lines));
writeFileSync(file, JSON.stringify(await everything(host)));
answer({ ms, imported: result.imported });
