'use strict';

const assert = require('node:assert/strict');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { startLoad } = require('../support/load');
const { run: checkpoints } = require('../../lib/commands/checkpoints');

/**
 * @import { Server } from '../support/server'
 */

const pad = 'x'.repeat(5000);

describe('checkpoints on a real server', function () {
  this.timeout(60_000);
  /** @type {Server} */ let server;
  before(async () => {
    server = await startServer({ args: ['--syncdelay', '300'] });
  });
  after(() => server?.stop());
  const totals = async () => {
    const { transaction, checkpoint } = (await server.adminCommand({ serverStatus: 1 })).wiredTiger;
    return checkpoint
      ? checkpoint['total time (msecs)']
      : transaction['transaction checkpoint total time (msecs)'];
  };

  it('sees each one that was forced, when, and how long it took, under load', async () => {
    const load = startLoad(async () => {
      await server.db('test').collection('written').insertOne({ pad });
    });
    const ctx = contextOf(server.client);
    const before = await totals();
    const running = checkpoints(ctx, { seconds: 12 });
    /** @type {number[]} */ const forced = [];
    for (const ms of [3000, 4000]) {
      await new Promise((resolve) => setTimeout(resolve, ms));
      forced.push(Date.now());
      await server.adminCommand({ fsync: 1 });
    }
    const answer = await running;
    const after = await totals();
    await load.stop();
    assert.equal(answer.checkpoints.length, 2, JSON.stringify(answer.checkpoints));
    for (const [
      i,
      { from, durationMs, opsPerSec, writtenBytes, running: still },
    ] of answer.checkpoints.entries()) {
      assert.ok(
        Math.abs(from.getTime() - forced[i]) < 2500,
        `${from.toISOString()} against ${new Date(forced[i]).toISOString()}`,
      );
      assert.ok(durationMs > 0 && opsPerSec > 0 && writtenBytes > 0 && !still);
    }
    assert.equal(
      answer.checkpoints.reduce((sum, { durationMs }) => sum + durationMs, 0),
      after - before,
    );
    assert.equal(answer.everySeconds, 300);
    assert.ok(answer.opsPerSec.outside > 0);
    assert.ok(
      answer.timeline.length >= 10 &&
        answer.timeline.some(({ checkpoint }) => checkpoint) &&
        answer.timeline.some(({ checkpoint }) => !checkpoint),
    );
    assert.match(String(answer), /\nCHECKPOINTS {2}2 \(interval 5 min\)\n/);
    assert.match(String(ctx.progressed[0]), /1 of 13 samples; Ctrl-C/);
    assert.equal(ctx.progressed.at(-1), null);
  });

  it('sees a stall: writers that wait for a lock', async () => {
    const load = startLoad(async () => {
      await server.db('test').collection('written').insertOne({ a: 1 });
    });
    const running = checkpoints(contextOf(server.client), { seconds: 16 });
    await new Promise((resolve) => setTimeout(resolve, 5000));
    const lockedAt = Date.now();
    await server.adminCommand({ fsync: 1, lock: true });
    await new Promise((resolve) => setTimeout(resolve, 4000));
    await server.adminCommand({ fsyncUnlock: 1 });
    const answer = await running;
    await load.stop();
    assert.equal(answer.stalls.length, 1, JSON.stringify(answer.timeline));
    assert.ok(
      answer.stalledSeconds >= 2 && answer.stalledSeconds <= 6,
      `${answer.stalledSeconds} s`,
    );
    assert.ok(Math.abs(answer.stalls[0].from.getTime() - lockedAt) < 2500);
    assert.ok(answer.timeline.filter(({ stalled }) => stalled).length >= 2);
    assert.match(String(answer), /^STALLS {7}1, longest /m);
  });

  it('Ctrl-C answers from what was seen', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 2500);
    const answer = await checkpoints(contextOf(server.client, { signal: stop.signal }));
    assert.deepEqual(
      [answer.ended, answer.checkpoints, answer.stalls, answer.stalledSeconds],
      ['interrupted', [], null, null],
    );
    assert.match(answer.notes[0], /^Interrupted after \d+ samples/);
    assert.match(String(answer), /^CHECKPOINTS {2}none/m);
  });

  for (const [options, code] of [
    [{ seconds: 0 }, 'TUNE-10002'],
    [{ seconds: 7201 }, 'TUNE-10002'],
    [{ second: 5 }, 'TUNE-10001'],
  ]) {
    it(`refuses ${JSON.stringify(options)} with ${code}`, () =>
      assert.rejects(checkpoints(contextOf(server.client), /** @type {any} */ (options)), {
        name: 'TuneError',
        code,
      }));
  }
});
