// The template for Node.js with MySQL and Redis, as it stands in examples/node-redis-mysql, over real
// servers.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  checkEcho,
  checkModel,
  checkRefusal,
  converse,
  installExample,
  post,
  start,
  startModel,
} from "./examples.mjs";
import { startMariaDb, startRedis } from "./servers.mjs";

const options = { timeout: 60_000 };

let database;
let redis;

before(async () => {
  [database, redis] = await Promise.all([startMariaDb(), startRedis()]);
});
after(() => Promise.all([database?.stop(), redis?.stop()]));

function startExample(t, env = {}) {
  const { user, host, port, database: name } = database.options;
  return start(t, process.execPath, ["server.js"], {
    cwd: installExample("node-redis-mysql"),
    env: {
      PORT: "0",
      MYSQL_URL: `mysql://${user}@${host}:${port}/${name}`,
      REDIS_URL: `redis://127.0.0.1:${redis.port}`,
      ...env,
    },
  });
}

test(
  "it remembers without a language model, stops in good order and starts again",
  options,
  async (t) => {
    const first = await startExample(t);
    await checkEcho(first.url);
    await checkRefusal(first.url);
    assert.equal(await first.stop(), 0, first.output());
    const second = await startExample(t);
    const { answer } = await post(second.url, "/chat", {
      user: "ana",
      session: "wednesday",
      message: "Where do I live?",
    });
    assert.match(answer, /\nsystem: [\s\S]*Hangzhou/);
    assert.equal(await second.stop(), 0, second.output());
  },
);

test("it remembers with a language model", options, async (t) => {
  const model = await startModel();
  t.after(() => model.close());
  const example = await startExample(t, model.env);
  await checkModel(example.url, model);
});

test("it remembers while Redis is away", options, async (t) => {
  const example = await startExample(t);
  await redis.stop();
  const { said, ended, answered } = await converse(example.url, "dee");
  await redis.restart();
  assert.deepEqual([said.status, ended.status], [200, 200]);
  assert.match(answered.answer, /\nsystem: [\s\S]*Hangzhou/);
  assert.equal(await example.stop(), 0, example.output());
});
