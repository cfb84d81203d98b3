// Real database servers for the tests, on free ports, with their data in folders that go with them.

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { createPool } from "mysql2/promise";
import { root } from "./support.mjs";

const START_MS = 60_000;

/** Node.js 24, which has `node:sqlite` without a flag. */
export const node24 = join(
  root,
  `.tools/node24/node_modules/node/node_modules/node-${process.platform}-${process.arch}/bin/node`,
);

/** A folder that is removed when the process ends. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "siltstone-data-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A MariaDB server with an empty database `siltstone`. */
export async function startMariaDb() {
  const folder = temporaryFolder();
  const data = join(folder, "data");
  const user = userInfo().username;
  execFileSync(
    program("mariadb-install-db"),
    [
      "--no-defaults",
      `--user=${user}`,
      `--datadir=${data}`,
      "--auth-root-authentication-method=normal",
    ],
    { stdio: "ignore" },
  );
  const port = await freePort();
  const server = new Server("mariadbd", [
    "--no-defaults",
    `--user=${user}`,
    `--datadir=${data}`,
    `--port=${port}`,
    "--bind-address=127.0.0.1",
    `--socket=${join(folder, "socket")}`,
    `--pid-file=${join(folder, "pid")}`,
    "--innodb-buffer-pool-size=32M",
  ]);
  const options = { host: "127.0.0.1", port, user: "root" };
  const connects = async () => {
    const pool = createPool(options);
    try {
      await pool.query("CREATE DATABASE IF NOT EXISTS siltstone");
    } finally {
      await pool.end();
    }
  };
  await server.start(connects);
  return {
    options: { ...options, database: "siltstone" },
    kill: () => server.stop("SIGKILL"),
    restart: () => server.start(connects),
    stop: () => server.stop("SIGTERM"),
  };
}

/** A Redis server that keeps nothing on disk. */
export async function startRedis() {
  const port = await freePort();
  const server = new Server("redis-server", [
    ...["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
    ...["--dir", temporaryFolder()],
  ]);
  const connects = () => answers(port);
  await server.start(connects);
  return {
    port,
    /** Keeps the process but lets it answer nothing. */
    pause: () => server.signal("SIGSTOP"),
    resume: () => server.signal("SIGCONT"),
    restart: () => server.start(connects),
    stop: () => server.stop("SIGTERM"),
  };
}

class Server {
  #name;
  #args;
  #process;

  constructor(name, args) {
    this.#name = name;
    this.#args = args;
    process.on("exit", () => this.#process?.kill("SIGKILL"));
  }

  /** Starts the server and waits until it can be connected to. */
  async start(connects) {
    this.#process = spawn(program(this.#name), this.#args, { stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream.on("data", (text) => {
        said = `${said}${text}`.slice(-4_000);
      });
    }
    for (const end = Date.now() + START_MS; ; ) {
      if (this.#process.exitCode !== null || Date.now() > end) {
        throw new Error(`${this.#name} did not start:\n${said}`);
      }
      try {
        return await connects();
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  signal(name) {
    this.#process.kill(name);
  }

  async stop(signal) {
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGCONT");
    this.#process.kill(signal);
    await ended;
  }
}

function answers(port) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(socket.destroy()));
    socket.once("error", reject);
  });
}

async function freePort() {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** Where a program is; servers are often out of an ordinary user's path. */
function program(name) {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found === undefined) {
    throw new Error(`${name} is not installed: scripts/setup.sh redis mariadb`);
  }
  return found;
}
