'use strict';

const assert = require('node:assert/strict');
const { MinKey } = require('mongodb');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitStatus } = require('../../../lib/commands/split-status');
const { run: splitVerify } = require('../../../lib/commands/split-verify');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { throughHands } = require('../../support/beside');
const { contextOf } = require('../../support/context');
const { diesAfter, endLease, useSet } = require('../../support/split');

const MAJORITY = Object.freeze({ writeConcern: { w: 'majority' } });
const RESUME = Object.freeze({ confirm: true, restart: false, follow: false, guardian: false });
const REPAIR = Object.freeze({ repair: true, confirm: true });
const UNIQUE = Object.freeze({
  documents: [
    { _id: 1, u: 1 },
    { _id: 2, u: 2 },
  ],
  indexes: [[{ u: 1 }, { unique: true }]],
});
/** More ids than a comparison holds in memory. */
const MANY = 202_000;
const BATCH = 10_000;

describe('what a comparison of a split says', function () {
  this.timeout(200_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  /** A write that no change stream shows. @param {string} ns */
  const insertUnseen = (ns) =>
    client.db('admin').command({ applyOps: [{ op: 'i', ns, o: { _id: 'unseen', v: 1 } }] });
  /** @param {string} id */
  const compared = async (id) => (await splitVerify(ctx, id, {})).splits[0].verified;

  for (const [what, command, switched] of /** @type {const} */ ([
    ['a cutover', splitCutover, false],
    ['a rollback', splitRollback, true],
  ]))
    it(`refuses ${what} in the shell that has found a difference, until it is repaired`, async () => {
      const { id, from, into, name } = await beginSplit(client, ctx, { switched });
      await insertUnseen(switched ? `app2.${name}` : `app.${name}`);
      assert.equal((await compared(id))?.differences, 1);
      const [dry] = (await command(ctx, id, { guardian: false })).splits;
      assert.match(String(dry.does), /Blocked now: 1 document/);
      await assert.rejects(command(ctx, id, ALONE), { code: 'TUNE-35015' });
      await splitVerify(ctx, id, REPAIR);
      await command(ctx, id, ALONE);
      assert.equal((await (switched ? from : into).findOne({ _id: 'unseen' }))?.v, 1);
    });

  it('counts a difference in an id that no command names, beside another pending write', async () => {
    const documents = [
      { _id: new MinKey(), v: 1 },
      { _id: 1, v: 1 },
    ];
    const { id, from, read } = await beginSplit(client, ctx, { documents, indexes: [] });
    const { into } = await read();
    const copy = client.db(into.db).collection(into.stagingName);
    await copy.updateOne({ _id: new MinKey() }, { $set: { v: 'other' } }, MAJORITY);
    assert.equal((await compared(id))?.differences, 1);
    await from.updateOne({ _id: 1 }, { $set: { v: 2 } }, MAJORITY);
    const verified = await compared(id);
    assert.deepEqual([verified?.differences, verified?.pending], [1, 1]);
  });

  for (const [moment, at] of /** @type {const} */ ([
    ['draining', 1],
    ['draining', 2],
    ['switching', 2],
    ['switched', 1],
    ['switched', 2],
  ]))
    it(`another shell that cuts over meanwhile is no reason for a new copy (${moment}, ${at})`, async () => {
      const { id, from, read } = await beginSplit(client, ctx, { indexes: [] });
      await from.insertOne({ _id: 'pending' }, MAJORITY);
      let reads = 0;
      // Another shell cuts over, under a second name for that.
      const mine = throughHands(contextOf(client), async (send, spec) => {
        const answer = await send();
        reads += Number(spec.find === 'splits');
        if (reads !== at) return answer;
        reads += 1;
        await splitCutover(diesAfter(client, 'cutting'), id, ALONE).catch(() => undefined);
        await endLease(client, id);
        const next = moment === 'switched' ? ctx : diesAfter(client, moment);
        await splitResume(next, id, RESUME).catch(() => undefined);
        assert.equal((await read()).phase, moment);
        return answer;
      });
      await assert.rejects(splitVerify(mine, id, {}), ({ code, message }) => {
        assert.match(message, /Another shell .* compare again/);
        assert.doesNotMatch(message, /restart/);
        return code === 'TUNE-35010';
      });
    });

  it('is refused where more is pending than it can hold', async () => {
    const { id, from, name } = await beginSplit(client, ctx, { indexes: [] });
    for (let first = 0; first < MANY; first += BATCH)
      await from.insertMany(
        Array.from({ length: BATCH }, (_, i) => ({ _id: 1e6 + first + i })),
        { ordered: false },
      );
    await from.deleteMany({ _id: { $gte: 1e6 } }, MAJORITY);
    await insertUnseen(`app.${name}`);
    await assert.rejects(splitVerify(ctx, id, {}), { code: 'TUNE-35021' });
    await splitResume(ctx, id, RESUME);
    assert.equal((await compared(id))?.differences, 1);
  });

  for (const switched of [false, true])
    it(`lets a repair and then a ${switched ? 'rollback' : 'cutover'} succeed where a unique index was dropped`, async () => {
      const { id, from, into, read } = await beginSplit(client, ctx, { ...UNIQUE, switched });
      const active = switched ? into : from;
      await active.dropIndex('u_1');
      await active.insertOne({ _id: 3, u: 1 }, MAJORITY);
      await splitResume(ctx, id, RESUME);
      const verified = await compared(id);
      assert.deepEqual([verified?.differences, verified?.pending], [0, 1]);
      const [repaired] = (await splitVerify(ctx, id, REPAIR)).splits;
      assert.equal(repaired.verified?.differences, 0);
      await (switched ? splitRollback : splitCutover)(ctx, id, ALONE);
      assert.equal((await read()).phase, switched ? 'rolled-back' : 'switched');
      assert.equal(await (switched ? from : into).countDocuments(), 3);
    });

  it('reads on in the oplog while a document waits for a value of a unique index', async () => {
    const { id, from } = await beginSplit(client, ctx, UNIQUE);
    await from.dropIndex('u_1');
    await from.insertOne({ _id: 3, u: 1 }, MAJORITY);
    await splitResume(ctx, id, RESUME);
    const [first] = (await splitStatus(ctx, id)).splits;
    await new Promise((go) => setTimeout(go, 1_500));
    await from.insertOne({ _id: 4, u: 4 }, MAJORITY);
    await splitResume(ctx, id, RESUME);
    const [second] = (await splitStatus(ctx, id)).splits;
    assert.equal(second.pendingConflicts, 1);
    assert.ok(Number(second.readUntil) > Number(first.readUntil), String(second.readUntil));
    assert.equal(Number(second.broughtOverAt), Number(first.broughtOverAt));
  });

  for (const switched of [false, true])
    it(`dates what is applied to ${switched ? 'the old data' : 'the copy'} by what was applied, after an interrupted resume`, async () => {
      const documents = Array.from({ length: 20_000 }, (_, i) => ({ _id: i, a: 0 }));
      const begun = await beginSplit(client, ctx, { documents, indexes: [], switched });
      const { id, from, into, read } = begun;
      await (switched ? into : from).updateMany({}, { $set: { a: 1 } }, MAJORITY);
      await new Promise((go) => setTimeout(go, 2_000));
      const before = new Date();
      const stop = new AbortController();
      const bare = contextOf(client, { signal: stop.signal });
      const interrupted = throughHands(bare, async (send, spec) => {
        const answer = await send();
        if (spec.findAndModify === 'splits' && spec.update?.$set?.reconciled) stop.abort();
        return answer;
      });
      await assert.rejects(splitResume(interrupted, id, RESUME), { code: 'TUNE-30009' });
      const [{ broughtOverAt }] = (await splitStatus(ctx, id)).splits;
      const split = await read();
      const copy = switched
        ? client.db('app').collection(split.from.renamedTo)
        : client.db('app2').collection(split.into.stagingName);
      const missing = await copy.countDocuments({ a: 0 });
      assert.ok(missing > 0, 'the interrupt came late');
      assert.ok(Number(broughtOverAt) < Number(before), `${broughtOverAt}, ${missing} missing`);
      await splitResume(ctx, id, RESUME);
      const [after] = (await splitStatus(ctx, id)).splits;
      assert.ok(Number(after.broughtOverAt) >= Number(before), String(after.broughtOverAt));
    });
});

describe('a comparison while most members lag', function () {
  this.timeout(200_000);
  /** @type {any} */ let server;
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  /** @type {number[]} */ let paused = [];
  useSet(
    (set) => {
      ({ server, client, ctx } = set);
    },
    { members: 3 },
  );
  const goOn = () => {
    for (const pid of paused) process.kill(pid, 'SIGCONT');
    paused = [];
  };
  after(goOn);

  it('takes writes since the last resume for pending, not for differences', async () => {
    const { config } = await client.db('admin').command({ replSetGetConfig: 1 });
    const settings = { ...config.settings, electionTimeoutMillis: 120_000 };
    await client
      .db('admin')
      .command({ replSetReconfig: { ...config, version: config.version + 1, settings } });
    const { id, from } = await beginSplit(client, ctx);
    const primary = await server.primary();
    paused = server
      .processes()
      .filter((/** @type {any} */ _, /** @type {number} */ i) => server.hosts[i] !== primary)
      .map((/** @type {{ pid: number }} */ { pid }) => pid);
    for (const pid of paused) process.kill(pid, 'SIGSTOP');
    const timer = setTimeout(goOn, 4_000);
    try {
      await from.insertMany(
        Array.from({ length: 10 }, (_, i) => ({ _id: `new${i}` })),
        { writeConcern: { w: 1 } },
      );
      const { verified } = (await splitVerify(ctx, id, {})).splits[0];
      assert.deepEqual([verified?.differences, verified?.pending], [0, 10]);
    } finally {
      clearTimeout(timer);
      goOn();
    }
  });
});
