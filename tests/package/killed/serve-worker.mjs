// Runs the Worker in workerd, in a process group of its own: node serve-worker.mjs OPTIONS

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startWorker } from "../support.mjs";

const { folder, data, bindings } = JSON.parse(process.argv[2]);
const code = readFileSync(new URL("worker.mjs", import.meta.url), "utf8").replace(
  "./options.mjs",
  fileURLToPath(new URL("options.mjs", import.meta.url)),
);
const { url } = await startWorker(folder, code, {
  bindings,
  durableObjects: {
    SESSIONS: { className: "Session", useSQLite: true },
    KEEPER: { className: "Keeper", useSQLite: true },
  },
  d1Persist: `${data}/d1`,
  kvPersist: `${data}/kv`,
  durableObjectsPersist: `${data}/objects`,
});
console.log(url);
