'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { temporaryFolder } = require('../support/cleanup');
const { startMix, MIXES } = require('../support/mixed-load');
const { DIRECT } = require('../support/patient');
const { run: who } = require('../../lib/commands/who');

/**
 * @import { MixName } from '../support/mixed-load'
 * @import { Server } from '../support/server'
 */

const SECONDS = 10;
/** The data is filled once; on a busy machine that takes a minute. */
const LIMIT_MS = 180_000;
const SECRET = 's3cr3t';
/** Of the wait time. */
const EXPLAINED_RATIO = 0.8;
/** Of the loads with a known culprit, so many at least are named first. */
const MIN_RIGHT = 11;
const ARGS = [
  ...DIRECT,
  ...['--setParameter', 'ttlMonitorSleepSecs=1'],
  ...['--setParameter', 'internalQueryMaxBlockingSortMemoryUsageBytes=2000000'],
];

/** @param {Awaited<ReturnType<typeof who>>} answer */
const named = ({ culprit }) => culprit && `${culprit.code}:${culprit.task ?? culprit.ns}`;

describe('who makes an application wait', function () {
  this.timeout(LIMIT_MS);
  /** @type {Server} */ let server;
  before(async () => {
    server = await startServer({ args: ARGS });
  });
  after(() => server?.stop());
  /** @type {{ culprit: string | null, named: string | null, lost: number, explained: number }[]} */
  const figures = [];

  for (const [name, { culprit }] of Object.entries(MIXES))
    it(`${name}: ${culprit ?? 'nobody'}`, async () => {
      const load = await startMix(server.uri, /** @type {MixName} */ (name));
      try {
        const answer = await who(contextOf(server.client), { seconds: SECONDS });
        const lost = answer.lostSeconds;
        figures.push({
          culprit,
          named: named(answer),
          lost,
          explained: lost * Number(answer.explainedRatio ?? 0),
        });
        assert.equal(named(answer), culprit, `${answer}`);
        assert.ok(!JSON.stringify(answer).includes(SECRET) && !`${answer}`.includes(SECRET));
        if (culprit !== null)
          assert.ok(Number(answer.explainedRatio) >= EXPLAINED_RATIO, `${answer}`);
      } finally {
        await load.stop();
      }
    });

  it('the figures of all loads together', function () {
    const sick = figures.filter(({ culprit }) => culprit !== null);
    if (sick.length < 12) this.skip(); // one load alone was asked for
    const right = sick.filter(({ culprit, named: name }) => name === culprit).length;
    const sum = (/** @type {'lost' | 'explained'} */ what) =>
      sick.reduce((total, one) => total + one[what], 0);
    const ratio = sum('explained') / sum('lost');
    const invented = figures.filter(({ culprit, named: name }) => culprit === null && name).length;
    process.stdout.write(
      `      ${right} of ${sick.length} named first, ${Math.round(100 * ratio)}% of ` +
        `${Math.round(sum('lost'))} thread-seconds explained, ${invented} invented\n`,
    );
    assert.ok(right >= MIN_RIGHT && ratio >= EXPLAINED_RATIO && invented === 0);
  });

  it('an index cures the sort that spills', async () => {
    const load = await startMix(server.uri, 'sort');
    const events = server.db('shop').collection('events');
    try {
      const { culprit } = await who(contextOf(server.client), { seconds: SECONDS });
      assert.equal(culprit?.code, 'spilling-sort');
      await events.createIndex({ kind: 1, n: 1, customer: -1 });
      await new Promise((go) => setTimeout(go, 5000)); // sorts that run still end
      const well = await who(contextOf(server.client), { seconds: SECONDS });
      assert.notEqual(well.culprit?.code, 'spilling-sort', `${well}`);
    } finally {
      await load.stop();
      await events.dropIndexes();
    }
  });

  it('an index cures a scan, and nobody is named any more', async () => {
    const load = await startMix(server.uri, 'scan');
    const events = server.db('shop').collection('events');
    try {
      const { culprit } = await who(contextOf(server.client), { seconds: SECONDS });
      assert.deepEqual(culprit?.index?.keys, { customer: 1, secret: 1 });
      await events.createIndex(/** @type {any} */ (culprit?.index?.keys));
      await new Promise((go) => setTimeout(go, 5000)); // scans that run still end
      const well = await who(contextOf(server.client), { seconds: SECONDS });
      assert.equal(well.culprit, null, `${well}`);
      const examined = (/** @type {typeof well} */ { rows }) =>
        rows.reduce((sum, row) => sum + Number(row.examined), 0);
      assert.ok(examined(well) < 100_000, `${well}`);
    } finally {
      await load.stop();
      await events.dropIndexes();
    }
  });
});

describe('who, with little to go by', function () {
  this.timeout(LIMIT_MS);
  /** @type {Server} */ let server;
  before(async () => {
    server = await startServer({ auth: true });
    await server
      .db('app')
      .collection('c')
      .insertMany(Array.from({ length: 2000 }, (_, n) => ({ n, secret: SECRET })));
  });
  after(() => server?.stop());

  /** @param {string[]} actions @param {string} name */
  async function as(name, actions) {
    await server.addRole(name, [
      { resource: { cluster: true }, actions: ['serverStatus', ...actions] },
    ]);
    return contextOf(await server.connect(await server.addUser(`${name}User`, [name])));
  }
  /** A query that is slow by itself, so that the log has it. @param {number} ms */
  const slowQuery = (ms) =>
    server
      .db('app')
      .collection('c')
      .find({ secret: SECRET, $where: `sleep(${ms / 1000}) || true` })
      .limit(1000)
      .toArray();

  it('answers without $currentOp and getLog, and names the privileges', async () => {
    const { sources, notes, ended } = await who(await as('blind', []), { seconds: 1 });
    assert.deepEqual(
      [sources.operationSamples, sources.slowOperations, ended],
      [null, null, 'complete'],
    );
    assert.match(notes.join(' '), /privilege inprog/);
    assert.match(notes.join(' '), /getLog needs/);
  });

  it('answers from the log alone', async () => {
    const running = slowQuery(1500);
    const { sources, rows } = await who(await as('reader', ['getLog']), { seconds: 3 });
    await running;
    assert.equal(sources.operationSamples, null);
    assert.ok(rows.some(({ ns, shape }) => ns === 'app.c' && shape.startsWith('find {')));
    assert.ok(!JSON.stringify(rows).includes(SECRET));
  });

  it('leaves slowms and the profiler as they are, and reads a profiler that is on', async () => {
    const app = server.db('app');
    const before = await app.command({ profile: -1 });
    await who(contextOf(server.client), { seconds: 1 });
    assert.deepEqual(await app.command({ profile: -1 }), before);
    await app.command({ profile: 2 });
    const asked = who(contextOf(server.client), { seconds: 2 });
    await new Promise((go) => setTimeout(go, 500));
    await app.collection('c').findOne({ n: 3 });
    const { sources, rows } = await asked;
    assert.ok(sources.profiled > 0);
    assert.ok(
      rows.some(({ shape }) => shape.includes('{ n: ? }')),
      JSON.stringify(rows),
    );
    assert.equal((await app.command({ profile: 0 })).was, 2);
  });

  // Made after the source: redactClientLogData is a parameter of MongoDB Enterprise.
  it('reads shapes of a redacted log', async () => {
    const folder = temporaryFolder('log');
    const file = path.join(folder.path, 'mongod.log');
    const line = {
      t: { $date: new Date(Date.now() + 1000).toISOString() },
      id: 51803,
      ctx: 'conn7',
      attr: {
        type: 'command',
        ns: 'shop.orders',
        appName: 'web',
        command: {
          find: '###',
          filter: { part: { $lt: '###' }, state: '###' },
          lsid: { id: '###' },
          $db: '###',
        },
        planSummary: 'COLLSCAN',
        docsExamined: 20_000,
        nreturned: 1,
        storage: { data: { bytesRead: 9_000_000, timeReadingMicros: 700_000 } },
        durationMillis: 900,
      },
    };
    fs.writeFileSync(file, `${JSON.stringify(line)}\n`);
    const answer = await who(contextOf(server.client), { seconds: 3, log: file });
    const row = answer.rows.find(({ ns }) => ns === 'shop.orders');
    folder.remove();
    assert.deepEqual(
      [row?.shape, row?.app, row?.plan],
      ['find { part: { $lt: ? }, state: ? }', 'web', 'COLLSCAN'],
    );
  });

  it('reads the end of a log of any size, and hostile lines, in bounded time', async () => {
    const folder = temporaryFolder('log');
    const file = path.join(folder.path, 'mongod.log');
    const handle = fs.openSync(file, 'w');
    const piece = Buffer.alloc(10 * 2 ** 20, 'x'); // no line break at all
    for (let i = 0; i < 20; i += 1) fs.writeSync(handle, piece);
    fs.writeSync(handle, `\n{"t":{"$date":"1999-01-01T00:00:00Z"},"id":51803,"attr":7}\n`);
    const at = new Date(Date.now() + 1000).toISOString();
    fs.writeSync(
      handle,
      `${JSON.stringify({ t: { $date: at }, id: 51803, ctx: 'c', attr: { ns: 'x.y', type: 'command', command: { find: 'y', filter: { a: SECRET } }, durationMillis: 900, storage: {} } })}\n\u0000\n{"t":`,
    );
    fs.closeSync(handle);
    const began = performance.now();
    const answer = await who(contextOf(server.client), { seconds: 3, log: file });
    assert.ok(performance.now() - began < 10_000);
    assert.ok(
      answer.rows.some(({ ns }) => ns === 'x.y'),
      JSON.stringify(answer.rows),
    );
    assert.ok(!JSON.stringify(answer).includes(SECRET));
    const whole = `${'y'.repeat(200)}\n`.repeat(400_000); // 80 MB, no line of which has a time
    fs.writeFileSync(file, whole);
    const { notes } = await who(contextOf(server.client), { seconds: 1, log: file });
    assert.match(notes.join(' '), /not JSON of MongoDB 4\.4/);
    folder.remove();
    await assert.rejects(who(contextOf(server.client), { seconds: 1, log: file }), {
      code: 'TUNE-40002',
    });
  });

  it('answers after Ctrl-C from what it saw', async () => {
    const ended = new AbortController();
    const asked = who(contextOf(server.client, { signal: ended.signal }), { seconds: 60 });
    setTimeout(() => ended.abort(), 2500);
    const { ended: how, window } = await asked;
    assert.equal(how, 'interrupted');
    assert.ok(window.seconds > 0.5 && window.seconds < 4);
  });
});
