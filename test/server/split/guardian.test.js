'use strict';

/**
 * A shell that is killed, or stalls, between the cut and the new name's first answer: the
 * process beside it goes on, and applications wait for seconds.
 */
const assert = require('node:assert/strict');
const { spawn, spawnSync } = require('node:child_process');
const path = require('node:path');
const { sleep } = require('../../../lib/base/context');
const { contextOf } = require('../../support/context');
const { planOf, until, useSet } = require('../../support/split');
const { run: check } = require('../../../lib/commands/check');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitStatus } = require('../../../lib/commands/split-status');

const DO = Object.freeze({ confirm: true });
/**
 * Milliseconds in which applications are answered again; the machine may be busy with other tests.
 */
const BLOCKED_MS = 15_000;
/** Milliseconds; after 6 s without a sign a shell counts as stalled. */
const STALLED_MS = 9_000;

/** @param {string[]} args of ps @returns {string[]} lines */
const ps = (...args) =>
  spawnSync('ps', args, { encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
/** Those that run: a stopped shell does not collect one that ended. @param {number} pid */
const childrenOf = (pid) =>
  ps('-o', 'stat=,pid=', '--ppid', String(pid))
    .map((line) => line.trim().split(/\s+/))
    .filter(([stat]) => !stat.startsWith('Z'))
    .map(([, child]) => Number(child));
/** @param {number} pid */
const isStopped = (pid) => ps('-o', 'stat=', '-p', String(pid)).some((one) => one.startsWith('T'));

describe('the process beside a shell that cuts over', function () {
  this.timeout(120_000);
  let client;
  let ctx;
  let uri = '';
  let number = 0;
  useSet((set) => {
    ({ client, ctx } = set);
    ({ uri } = set.server);
  });

  async function begin() {
    number += 1;
    const name = `c${number}`;
    await client
      .db('app')
      .collection(name)
      .insertMany(Array.from({ length: 200 }, (_, i) => ({ _id: i })));
    const plan = await planOf(client, { moves: [{ ns: `app.${name}`, into: `app2.${name}` }] });
    await splitRun(ctx, plan, DO);
    return { name, plan, phase: async () => (await splitStatus(ctx, plan.id)).splits[0].phase };
  }

  /**
   * @param {string} moment
   * @param {string} verb
   * @param {string} id
   * @param {{ signal?: NodeJS.Signals, guardian?: 'on' | 'off' }} [how]
   */
  async function shellThatDies(moment, verb, id, { signal = 'SIGKILL', guardian = 'on' } = {}) {
    const file = path.join(__dirname, '..', '..', 'support', 'dying-split.js');
    const child = spawn(process.execPath, [file, uri, moment, verb, id], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, TUNE_TEST_GUARDIAN: guardian, TUNE_TEST_SIGNAL: signal },
    });
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
    });
    const over = new Promise((resolve) => {
      child.on('exit', (_code, by) => resolve(by));
    });
    return { child, over, said: () => said };
  }

  /** Until a write is taken at either name. @param {string} name */
  async function answered(name) {
    const began = Date.now();
    await until(async () => {
      for (const db of ['app', 'app2'])
        if (
          await client
            .db(db)
            .collection(name)
            .insertOne({})
            .then(
              () => true,
              () => false,
            )
        )
          return true;
      return false;
    });
    return Date.now() - began;
  }

  for (const [verb, moment, end] of [
    ['cutover', 'cut-after', 'switched'],
    ['cutover', 'draining-after', 'switched'],
    ['cutover', 'switching-after', 'switched'],
    ['cutover', 'put-before', 'switched'],
    ['rollback', 'cut-after', 'rolled-back'],
    ['rollback', 'switching-back-after', 'rolled-back'],
  ]) {
    it(`a ${verb} whose shell is killed at ${moment} comes to its end without anybody`, async () => {
      const { name, plan, phase } = await begin();
      if (verb === 'rollback') await splitCutover(ctx, plan.id, { ...DO, guardian: false });
      const shell = await shellThatDies(moment, verb, plan.id);
      assert.equal(await shell.over, 'SIGKILL');
      const blockedMs = await answered(name);
      assert.ok(blockedMs < BLOCKED_MS, `${blockedMs} ms`);
      await until(async () => (await phase()) === end);
      assert.equal(
        await client
          .db(verb === 'cutover' ? 'app2' : 'app')
          .collection(name)
          .countDocuments(),
        201,
      );
      process.stdout.write(`        blocked for ${blockedMs} ms\n`);
    });
  }

  for (const [verb, moment, end, db] of [
    ['resume', 'renewed-before', 'switched', 'app2'],
    ['resume', 'switching-after', 'switched', 'app2'],
    ['abort', 'aborting-after', 'aborted', 'app'],
  ]) {
    it(`what was cut off and left: ${verb}, killed at ${moment}, comes to its end, too`, async () => {
      const { name, plan, phase } = await begin();
      const first = await shellThatDies('draining-after', 'cutover', plan.id, { guardian: 'off' });
      assert.equal(await first.over, 'SIGKILL');
      assert.equal(await phase(), 'draining');
      const second = await shellThatDies(moment, verb, plan.id);
      assert.equal(await second.over, 'SIGKILL');
      assert.ok((await answered(name)) < BLOCKED_MS);
      await until(async () => (await phase()) === end);
      assert.equal(await client.db(db).collection(name).countDocuments(), 201);
    });
  }

  for (const moment of ['aborting-before', 'fails'])
    it(`an abort that ends before it is written down (${moment}) has nobody complete the cutover`, async () => {
      const { plan, phase } = await begin();
      const first = await shellThatDies('draining-after', 'cutover', plan.id, { guardian: 'off' });
      assert.equal(await first.over, 'SIGKILL');
      if (moment === 'fails') {
        const refused = contextOf(client);
        const { command } = refused.port;
        refused.port.command = async (db, spec) => {
          if (spec.update?.$set?.phase === 'aborting')
            throw Object.assign(new Error('not now'), { code: 13, name: 'MongoServerError' });
          return command(db, spec);
        };
        refused.port.adminCommand = (spec) => refused.port.command('admin', spec);
        await assert.rejects(splitAbort(refused, plan.id, DO), (error) =>
          /are blocked until then/.test(error.message),
        );
      } else {
        const second = await shellThatDies(moment, 'abort', plan.id);
        assert.equal(await second.over, 'SIGKILL');
      }
      await sleep(STALLED_MS, new AbortController().signal);
      assert.equal(await phase(), 'draining');
      await splitAbort(ctx, plan.id, DO);
      assert.equal(await phase(), 'aborted');
    });

  it('a shell that stalls is passed by, and does nothing when it goes on', async () => {
    const { name, plan, phase } = await begin();
    const { child, over } = await shellThatDies('switching-after', 'cutover', plan.id, {
      signal: 'SIGSTOP',
    });
    await until(async () => (await phase()) === 'switching');
    const blockedMs = await answered(name);
    assert.ok(blockedMs < BLOCKED_MS, `${blockedMs} ms`);
    await until(async () => (await phase()) === 'switched');
    child.kill('SIGCONT');
    await over;
    assert.deepEqual(
      [await phase(), await client.db('app2').collection(name).countDocuments()],
      ['switched', 201],
    );
    process.stdout.write(`        blocked for ${blockedMs} ms\n`);
  });

  it('one that stalls before its cut, and goes on, still has it', async () => {
    const { name, plan, phase } = await begin();
    const { child, over } = await shellThatDies('cutting-before', 'cutover', plan.id, {
      signal: 'SIGSTOP',
    });
    const guardians = () => childrenOf(child.pid);
    await until(() => isStopped(child.pid));
    const [guardian] = guardians();
    await sleep(STALLED_MS, new AbortController().signal);
    assert.deepEqual([await phase(), guardians()], ['following', [guardian]]);
    child.kill('SIGCONT');
    assert.equal(await over, null);
    assert.deepEqual(
      [await phase(), await client.db('app2').collection(name).countDocuments()],
      ['switched', 200],
    );
  });

  it('one that stalls before its cut, and has it no more, does not cut', async () => {
    const { name, plan, phase } = await begin();
    const { child, over, said } = await shellThatDies('cutting-before', 'cutover', plan.id, {
      signal: 'SIGSTOP',
    });
    await until(() => isStopped(child.pid));
    for (const pid of childrenOf(child.pid)) process.kill(pid, 'SIGKILL');
    child.kill('SIGCONT');
    await over;
    assert.match(said(), /TUNE-35019[^]*app\.c\d+ is active/);
    assert.equal(await phase(), 'following');
    await client.db('app').collection(name).insertOne({});
    assert.equal((await splitCutover(ctx, plan.id, DO)).splits[0].phase, 'switched');
  });

  it('one that dies before its cut leaves the source as it is, and no process', async () => {
    const { name, plan, phase } = await begin();
    await (
      await shellThatDies('cut-before', 'cutover', plan.id)
    ).over;
    await client.db('app').collection(name).insertOne({});
    await until(
      async () =>
        (
          await client
            .db('admin')
            .aggregate([
              { $currentOp: { allUsers: true, idleConnections: true } },
              { $match: { appName: 'mongosh-tune guardian' } },
            ])
            .toArray()
        ).length === 0,
    );
    assert.equal(await phase(), 'cutting');
    assert.equal((await splitCutover(ctx, plan.id, DO)).splits[0].phase, 'switched');
  });

  it(
    'without one, a shell that dies leaves both names blocked: check and status say so, and ' +
      'what to type',
    async () => {
      const { name, plan, phase } = await begin();
      await (
        await shellThatDies('draining-after', 'cutover', plan.id, { guardian: 'off' })
      ).over;
      await assert.rejects(client.db('app').collection(name).insertOne({}), { code: 166 });
      await assert.rejects(client.db('app2').collection(name).insertOne({}), { code: 166 });
      const { status, findings } = await check(ctx, { seconds: 0.2 });
      const [found] = findings.filter(({ rule }) => rule === 'split-blocked');
      assert.deepEqual(
        [status, found.status, found.key],
        ['critical', 'critical', `split-blocked:${plan.id}:app.${name}`],
      );
      const [row] = (await splitStatus(ctx, plan.id)).splits;
      assert.deepEqual(
        [row.blocked, row.next],
        [true, `tune.split.resume("${plan.id}", { confirm: true })`],
      );
      await splitResume(ctx, plan.id, DO);
      assert.equal(await phase(), 'switched');
      assert.deepEqual(
        (await check(ctx, { seconds: 0.2 })).findings.filter(
          ({ rule }) => rule === 'split-blocked',
        ),
        [],
      );
    },
  );

  it('where none can be started nothing begins, and the way without is said', async () => {
    const { plan, phase } = await begin();
    const alone = {
      ...contextOf(client),
      connection: async () => {
        throw new Error('no way to connect another process');
      },
    };
    await assert.rejects(
      splitCutover(alone, plan.id, DO),
      (error) =>
        error.code === 'TUNE-35019' && /no way to connect another process/.test(error.message),
    );
    assert.equal(await phase(), 'following');
    assert.equal(
      (await splitCutover(alone, plan.id, { ...DO, guardian: false })).splits[0].phase,
      'switched',
    );
  });
});
