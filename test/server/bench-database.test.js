'use strict';

const assert = require('node:assert/strict');
const { QUICK, useServer } = require('../support/one-server');
const { run: bench } = require('../../lib/commands/bench');
const { run: benchClean } = require('../../lib/commands/bench-clean');
const { run: benchSteps } = require('../../lib/commands/bench-steps');

describe('what others put into the database of a benchmark', function () {
  this.timeout(120_000);
  const place = useServer();
  const { context } = place;
  const orders = () => place.server.db('shop').collection('orders').countDocuments();
  const names = async () => {
    const found = await place.server.db('shop').listCollections({}, { nameOnly: true }).toArray();
    return found.map(({ name }) => name);
  };
  afterEach(() => place.server.db('shop').dropDatabase());

  it('while it runs is not dropped at its end', async () => {
    const ctx = context();
    let isDone = false;
    ctx.progress = (text) => {
      if (isDone || !/1 of 1 s/.test(text ?? '')) return;
      isDone = true;
      void place.server.db('shop').collection('orders').insertOne({ total: 7 });
    };
    const seen = await bench(ctx, { ...QUICK, database: 'shop' });
    assert.equal(isDone, true);
    assert.equal(await orders(), 1);
    assert.match(seen.notes.join(), /Collections of other sessions in "shop" stay: orders\./);
    assert.deepEqual(await names(), ['orders']);
  });

  it('by a benchmark that begins at the same time keeps its mark', async () => {
    const ctx = context();
    const { command } = ctx.port;
    let isDone = false;
    ctx.port.command = async (database, spec) => {
      if (!isDone && database === 'shop' && spec.insert) {
        isDone = true;
        await bench(context(), { ...QUICK, database: 'shop', keepData: true });
      }
      return command(database, spec);
    };
    await assert.rejects(bench(ctx, { ...QUICK, database: 'shop' }), {
      code: 'TUNE-31002',
      message: /Another benchmark has just begun in the database "shop"/,
    });
    assert.equal(isDone, true);
    assert.ok((await names()).includes('usertable'));
    await benchClean(context(), { database: 'shop', confirm: true });
    assert.deepEqual(await names(), []);
  });

  it('between the look and its start is not dropped, and nothing is written beside it', async () => {
    const ctx = context();
    const { command } = ctx.port;
    let isDone = false;
    ctx.port.command = async (database, spec) => {
      if (!isDone && database === 'shop' && spec.insert) {
        isDone = true;
        await place.server.db('shop').collection('orders').insertOne({ total: 7 });
      }
      return command(database, spec);
    };
    await assert.rejects(bench(ctx, { ...QUICK, database: 'shop' }), { code: 'TUNE-31002' });
    assert.equal(isDone, true);
    assert.equal(await orders(), 1);
    assert.deepEqual(await names(), ['orders']);
  });

  it('after one that was kept is not dropped by tune.bench.clean', async () => {
    await bench(context(), { ...QUICK, database: 'shop', keepData: true });
    await place.server.db('shop').collection('orders').insertOne({ total: 7 });
    const shown = await benchClean(context(), { database: 'shop' });
    assert.match(
      String(shown),
      /WOULD DROP {3}benchmark data in shop\nWOULD KEEP {3}orders in shop: not created by tune\n/,
    );
    const done = await benchClean(context(), { database: 'shop', confirm: true });
    assert.deepEqual([done.dropped, done.left], [true, ['orders']]);
    assert.equal(await orders(), 1);
    assert.deepEqual(await names(), ['orders']);
  });

  it('nor by the next one, of another workload', async () => {
    await bench(context(), { ...QUICK, database: 'shop', keepData: true });
    await place.server.db('shop').collection('orders').insertOne({ total: 7 });
    for (const confirm of [false, true])
      await assert.rejects(
        bench(context(), { ...QUICK, workload: 'sysbench', database: 'shop', confirm }),
        (error) =>
          error.code === 'TUNE-31002' && /that tune did not create: orders\./.test(error.message),
      );
    assert.equal(await orders(), 1);
  });
});

describe('data of a benchmark that another session cleans away meanwhile', function () {
  this.timeout(120_000);
  const place = useServer();
  const { context } = place;
  const clean = () => benchClean(context(), { confirm: true });
  afterEach(() => place.server.db('tune_bench').dropDatabase());

  it('operations on nothing are no step of a sequence of steps', async () => {
    const ctx = context();
    const { adminCommand } = ctx.port;
    let isCleaned = false;
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      if (command.setParameter && !isCleaned) {
        isCleaned = true;
        assert.equal((await clean()).dropped, true);
      }
      return answer;
    };
    const seen = await benchSteps(ctx, [{ evictionThreadsMax: 6 }], {
      ...QUICK,
      workload: 'ycsb-c',
    });
    assert.deepEqual([seen.ended, seen.measuredSteps.length], ['failed', 1], `${seen}`);
    assert.match(String(seen.because), /dropped the data .* so later measurements are void/);
  });

  it('nor a benchmark; what the other session has begun since is not dropped', async () => {
    const ctx = context();
    const { command } = ctx.port;
    let isCleaned = false;
    ctx.port.command = async (database, spec) => {
      const answer = await command(database, spec);
      if (spec.findAndModify && !isCleaned) {
        isCleaned = true;
        await clean();
        await bench(context(), { ...QUICK, keepData: true });
      }
      return answer;
    };
    await assert.rejects(bench(ctx, QUICK), {
      code: 'TUNE-31002',
      message: /are void\. The new database "usertable" stays\./,
    });
    assert.equal(
      await place.server.db('tune_bench').collection('usertable').countDocuments(),
      1000,
    );
  });

  it('nor what was loaded', async () => {
    const ctx = context();
    const { command } = ctx.port;
    let isCleaned = false;
    ctx.port.command = async (database, spec) => {
      const answer = await command(database, spec);
      if (spec.find === 'loaded' || (spec.create && !isCleaned)) {
        isCleaned = true;
        await clean();
      }
      return answer;
    };
    await assert.rejects(bench(ctx, QUICK), { code: 'TUNE-31002' });
    assert.equal(isCleaned, true);
  });
});
