'use strict';

/** A shell that stalled and goes on while the guardian is at work. */
const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const path = require('node:path');
const { sleep } = require('../../../lib/base/context');
const { planOf, until, useSet } = require('../../support/split');
const { run: splitRun } = require('../../../lib/commands/split-run');

const DO = Object.freeze({ confirm: true });
/** Milliseconds: 6 s of silence, the takeover itself, and much patience. */
const BLOCKED_MS = 20_000;

describe('a shell that goes on while the guardian takes over', function () {
  this.timeout(120_000);
  let client;
  let ctx;
  let uri = '';
  useSet((set) => {
    ({ client, ctx } = set);
    ({ uri } = set.server);
  });

  for (const hasTransaction of [false, true])
    it(`leaves the guardian alone${hasTransaction ? ', which waits for a transaction of an application' : ''}`, async () => {
      const name = `g${Number(hasTransaction)}`;
      await client
        .db('app')
        .collection(name)
        .insertMany(Array.from({ length: 200 }, (_, i) => ({ _id: i })));
      await client.db('other').collection('c').insertOne({});
      const plan = await planOf(client, { moves: [{ ns: `app.${name}`, into: `app2.${name}` }] });
      await splitRun(ctx, plan, DO);
      const read = () => client.db('tune').collection('splits').findOne({ planId: plan.id });
      const file = path.join(__dirname, '..', '..', 'support', 'dying-split.js');
      const child = spawn(process.execPath, [file, uri, 'draining-after', 'cutover', plan.id], {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, TUNE_TEST_GUARDIAN: 'on', TUNE_TEST_SIGNAL: 'SIGSTOP' },
      });
      let said = '';
      child.stderr.on('data', (text) => {
        said += text;
      });
      const over = new Promise((resolve) => {
        child.on('exit', resolve);
      });
      await until(async () => (await read()).phase === 'draining');
      const { owner } = (await read()).lease;
      const session = client.startSession();
      try {
        if (hasTransaction) {
          await sleep(4_500, new AbortController().signal);
          session.startTransaction();
          await client.db('other').collection('c').insertOne({}, { session });
        }
        // The guardian has the lease now, and the shell wakes up.
        await until(async () => (await read()).lease?.owner !== owner, 15_000);
        child.kill('SIGCONT');
        await over;

        if (hasTransaction) {
          await sleep(1_000, new AbortController().signal);
          await session.commitTransaction();
        }
      } finally {
        await session.endSession();
      }
      await until(async () => (await read()).phase === 'switched', BLOCKED_MS);
      const { phase } = await read();
      const refusals = await Promise.all(
        ['app', 'app2'].map((db) =>
          client
            .db(db)
            .collection(name)
            .insertOne({ at: db })
            .then(
              () => 'takes writes',
              (error) => error.code,
            ),
        ),
      );
      await until(async () => (await read()).lease === null);
      assert.match(said, /TUNE-35003/);
      assert.deepEqual([phase, refusals], ['switched', [166, 'takes writes']]);
    });
});
