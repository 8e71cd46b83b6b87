'use strict';

/** A shell that stops while its step waits on the server. */
const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { planOf, until, useSet } = require('../../support/split');
const { sleep } = require('../../../lib/base/context');
const { splitRun } = require('../../../lib/commands/split-run');

const never = new AbortController().signal;

/** As dying-split.js, a moment after the step was sent. */
const SHELL = `
const { MongoClient } = require('mongodb');
const { contextOf } = require('./test/support/context');
const { isCut, stepsOf } = require('./test/support/split-steps');
const { splitCutover } = require('./lib/commands/split-cutover');
const [uri, id, signal] = process.argv.slice(1);
void new MongoClient(uri).connect().then(async (client) => {
  const ctx = contextOf(client);
  const { command } = ctx.port;
  ctx.port.command = (database, spec) => {
    const sent = command(database, spec);
    if (spec.applyOps && spec.comment && isCut(stepsOf(spec)))
      setTimeout(() => process.kill(process.pid, signal), 0);
    return sent;
  };
  ctx.port.adminCommand = (spec) => ctx.port.command('admin', spec);
  await splitCutover(ctx, id, { confirm: true, guardian: false });
});
`;

/** Of a busy test machine. */
const MARGIN_MS = 1_500;

describe('a shell that ends while its step waits', function () {
  this.timeout(120_000);
  let client;
  let ctx;
  let uri = '';
  useSet((set) => {
    ({ client, ctx } = set);
    ({ uri } = set.server);
  });

  for (const signal of ['SIGKILL', 'SIGSTOP'])
    it(`by ${signal}: others are held up for three seconds at most, as the guide says`, async () => {
      const name = signal.toLowerCase();
      await client
        .db('app')
        .collection(name)
        .insertMany([{ _id: 1 }, { _id: 2 }]);
      const plan = await planOf(client, { moves: [{ ns: `app.${name}`, into: `app2.${name}` }] });
      await splitRun(ctx, plan, { confirm: true });
      const seen = { longestMs: 0, on: true };
      const canary = (async () => {
        while (seen.on) {
          const began = performance.now();
          await client.db('elsewhere').collection('c').insertOne({});
          seen.longestMs = Math.max(seen.longestMs, performance.now() - began);
          await sleep(10, never);
        }
      })();
      const child = spawn(process.execPath, ['-e', SHELL, uri, plan.id, signal], {
        stdio: 'ignore',
      });
      try {
        await until(
          async () =>
            (await client.db('tune').collection('splits').findOne({ planId: plan.id })).permit !==
            null,
        );
        await sleep(5_000, never);
      } finally {
        child.kill('SIGKILL');
      }
      seen.on = false;
      await canary;
      // The transaction of a dead shell: another run would end with TUNE-35018.
      await client
        .db('admin')
        .command({ killAllSessions: [] })
        .catch(() => undefined);

      assert.ok(seen.longestMs < 3_000 + MARGIN_MS, `${seen.longestMs} ms`);
    });
});
