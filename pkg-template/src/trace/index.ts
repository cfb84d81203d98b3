export type { Difference } from "./difference.js";
export { type Recording, type RecordOptions, record } from "./record.js";
export { type Replayed, type ReplayTraceOptions, replay } from "./replay.js";
