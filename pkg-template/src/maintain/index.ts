export { type AlarmStorage, alarm, startAlarm } from "./alarm.js";
export { type DenoCronOptions, denoCron } from "./deno-cron.js";
export { every } from "./every.js";
export { whenIdle } from "./idle.js";
export type { LoopOptions } from "./loop.js";
export { type ScheduledHandler, scheduled, type WaitUntil } from "./scheduled.js";
export { type Maintained, type SlicesOptions, slices } from "./slices.js";
