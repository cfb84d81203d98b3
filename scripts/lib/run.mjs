import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
export const dist = join(root, "dist");

export const bin = (name) => join(root, "node_modules/.bin", name);

/** Prints `message` as a step of the running script. */
export function step(message) {
  console.log(`→ ${message}`);
}

/** Runs a command from the repository root and ends the script when it fails. */
export function run(command, args, { env = {}, cwd = root, capture = false } = {}) {
  const result = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", capture ? "pipe" : "inherit", "inherit"],
    encoding: "utf8",
  });
  if (result.error) {
    fail(`${command} could not be started: ${result.error.message}`);
  }
  if (result.status !== 0) {
    if (capture) {
      process.stderr.write(result.stdout);
    }
    fail(`${command} ${args[0] ?? ""} ended with ${result.status ?? result.signal}`);
  }
  return result.stdout;
}

export function fail(message) {
  console.error(`error: ${message}`);
  process.exit(1);
}
