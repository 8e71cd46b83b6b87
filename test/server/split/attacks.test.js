'use strict';

/**
 * What a network, a paused machine and a second operator can do to a split, one moment each: a command that arrives long after its shell lost the connection
 * and did it again, a shell that stood still while another one took over, an operation that went on in the server without its shell. Every name is told from
 * what is there in the end: all documents that were acknowledged, under one name that takes writes.
 */
const assert = require('node:assert/strict');
const { assertAlive, outcome, running, soon, startAttacked, until, BEFORE, DO, MAJORITY, SINCE } = require('../../support/attacked');
const { contextOf } = require('../../support/context');
const { useSet } = require('../../support/split');
const { deletes, drops, writesBy } = require('../../support/sent');
const { splitAbort } = require('../../../lib/commands/split-abort');
const { splitCutover } = require('../../../lib/commands/split-cutover');
const { splitFinish } = require('../../../lib/commands/split-finish');
const { splitResume } = require('../../../lib/commands/split-resume');
const { splitRollback } = require('../../../lib/commands/split-rollback');
const { splitStatus } = require('../../../lib/commands/split-status');

const ALL = BEFORE + SINCE;

describe('a split that is attacked', function () {
  this.timeout(180_000);
  let server;
  let client;
  let number = 0;
  /** @type {Awaited<ReturnType<typeof startAttacked>> | undefined} */ let split;
  useSet((set) => { ({ server, client } = set); }, { args: ['--setParameter', 'enableTestCommands=1'] });
  afterEach(async () => {
    await split?.stop();
    split = undefined;
  });
  const begin = async (of = {}) => {
    number += 1;
    split = await startAttacked(server, { name: `c${number}`, ...of });
    return split;
  };

  /** The command is held, its connection is lost, and the shell does it again until it is done. @returns {Promise<any>} what is held */
  async function lost(fits, work) {
    const held = split.proxy.hold(fits);
    const done = work();
    await soon(Promise.race([held.arrived, done.then(() => assert.ok(held.hasArrived(), 'nothing of that kind was sent'))]), 'the command that is held');
    await soon(done, 'the second try');
    return held;
  }

  describe('by a message that arrives late', () => {
    it('that of the switch drops nothing that was written since', async () => {
      const { far, id, run, place, write, name } = await begin();
      await run();
      const held = await lost(place, () => splitCutover(far, id, DO));
      await write('app2');
      await held.deliver();
      await assertAlive(client, `app2.${name}`, ALL);
    });

    it('that of an abort drops nothing of the source', async () => {
      const { far, id, run, putBack, stopsAt, write, name } = await begin();
      await run();
      await outcome(splitCutover(await stopsAt('draining'), id, DO));
      const held = await lost(putBack, () => splitAbort(far, id, DO));
      await write('app');
      await held.deliver();
      await assertAlive(client, `app.${name}`, ALL);
    });

    it('that of the end of a rollback drops nothing of the source', async () => {
      const { far, id, run, putBack, write, name } = await begin();
      await run();
      await splitCutover(contextOf(client), id, DO);
      const held = await lost(putBack, () => splitRollback(far, id, DO));
      await write('app');
      await held.deliver();
      await assertAlive(client, `app.${name}`, ALL);
    });

    it('that of the cut leaves the source alone after a rollback', async () => {
      const { far, id, run, cut, write, name } = await begin();
      await run();
      const held = await lost(cut, () => splitCutover(far, id, DO));
      await splitRollback(contextOf(client), id, DO);
      await write('app');
      await held.deliver();
      await assertAlive(client, `app.${name}`, ALL);
    });

    it('that of the cut of a rollback leaves the new place alone', async () => {
      const { far, id, run, cutBack, write, name } = await begin();
      await run();
      await splitCutover(contextOf(client), id, DO);
      const user = new AbortController();
      const held = split.proxy.hold(cutBack);
      const gone = outcome(splitRollback({ ...far, signal: user.signal }, id, DO));
      await soon(held.arrived, 'the cut of the rollback');
      // The user gives up: the rollback has not begun, as far as anybody can see.
      user.abort();
      await soon(gone, 'the end of the shell');
      const status = (await splitStatus(contextOf(client), id)).splits[0];
      await outcome(status.phase === 'switched' ? splitFinish(contextOf(client), id, DO) : splitRollback(contextOf(client), id, DO));
      const { phase } = (await splitStatus(contextOf(client), id)).splits[0];
      const db = phase === 'rolled-back' ? 'app' : 'app2';
      await write(db);
      await held.deliver();
      await assertAlive(client, `${db}.${name}`, ALL);
    });

    for (const [what, db, go] of [
      ['finish', 'app', async ({ far, id }) => { await splitCutover(contextOf(client), id, DO); return () => splitFinish(far, id, { ...DO, open: true }); }],
      ['finish after a rollback', 'app2', async ({ far, id }) => {
        await splitCutover(contextOf(client), id, DO);
        await splitRollback(contextOf(client), id, DO);
        return () => splitFinish(far, id, DO);
      }],
      ['abort', 'app2', async ({ far, id }) => () => splitAbort(far, id, DO)],
    ]) {
      it(`the drop of a view by ${what} leaves alone what an application made under the free name`, async () => {
        const { name, run } = await begin();
        await run();
        const work = await go(split);
        const held = await lost((command) => drops(command, db, name), work);
        await client.db(db).collection(name).insertMany(Array.from({ length: 300 }, (_, i) => ({ _id: i })), MAJORITY);
        await held.deliver();
        await assertAlive(client, `${db}.${name}`, 300);
      });
    }

    it('a delete takes out nothing that was inserted since', async () => {
      const { far, id, run, source, name } = await begin();
      await run();
      await source.deleteOne({ _id: 7 }, MAJORITY);
      const held = await lost((command) => deletes(command, 'app2', `${name}__tune_`), () => splitResume(far, id, DO));
      await source.insertOne({ _id: 7, n: 'again' }, MAJORITY);
      await splitResume(contextOf(client), id, DO);
      await held.deliver();
      await splitCutover(contextOf(client), id, DO);
      await assertAlive(client, `app2.${name}`, BEFORE);
      assert.equal((await client.db('app2').collection(name).findOne({ _id: 7 }))?.n, 'again');
    });

    for (const [what, method, verb] of [['$out', 'out', 'run'], ['$merge', 'out', 'cutover']]) {
      it(`a ${what} after the switch does not take the way back away`, async () => {
        const { far, id, run, source, write, name } = await begin({ method });
        const fits = (command) => writesBy(command, what, 'app');
        let held;
        if (verb === 'run') held = await lost(fits, () => run(far));
        else {
          await run();
          await source.updateOne({ _id: 3 }, { $set: { n: 'meanwhile' } }, MAJORITY);
          held = await lost(fits, () => splitCutover(far, id, DO));
        }
        if (verb === 'run') await splitCutover(contextOf(client), id, DO);
        await write('app2');
        await held.deliver();
        await assertAlive(client, `app2.${name}`, ALL);
        await splitRollback(contextOf(client), id, DO);
        await assertAlive(client, `app.${name}`, ALL);
      });
    }
  });

  describe('by a shell that stands still', () => {
    /** A shell that stops with a command on its way while another one takes over. @returns {Promise<() => Promise<any>>} it goes on */
    async function still(fits, work) {
      const held = split.proxy.hold(fits, { lose: false });
      const gone = outcome(work());
      await soon(Promise.race([held.arrived, gone.then(({ error }) => { if (!held.hasArrived()) throw error ?? new Error('nothing of that kind was sent'); })]), 'the command that is held');
      split.proxy.freeze();
      await split.lapse();
      return async () => {
        const delivered = held.deliver();
        split.proxy.thaw();
        await soon(delivered, 'the answer to what was held');
        return soon(gone, 'the end of the shell');
      };
    }

    it('before its switch: it drops nothing of what another one switched, and does not say otherwise', async () => {
      const { far, id, run, place, write, name } = await begin();
      await run();
      const goOn = await still(place, () => splitCutover(far, id, DO));
      await splitResume(contextOf(client), id, DO);
      await write('app2');
      await goOn();
      await assertAlive(client, `app2.${name}`, ALL);
      assert.equal(await split.phase(), 'switched');
    });

    it('before its cut: a source whose split was given up stays where it is', async () => {
      const { far, id, run, cut, write, name } = await begin();
      await run();
      const goOn = await still(cut, () => splitCutover(far, id, DO));
      await splitAbort(contextOf(client), id, DO);
      await write('app');
      await goOn();
      await assertAlive(client, `app.${name}`, ALL);
      assert.equal(await split.phase(), 'aborted');
    });

    it('before the end of its abort: what another one gave up stays as it is', async () => {
      const { far, id, run, putBack, stopsAt, write, name } = await begin();
      await run();
      await outcome(splitCutover(await stopsAt('draining'), id, DO));
      const goOn = await still(putBack, () => splitAbort(far, id, DO));
      await splitAbort(contextOf(client), id, DO);
      await write('app');
      await goOn();
      await assertAlive(client, `app.${name}`, ALL);
    });

    it('before its switch, and another one gives up: one name has the data, and only one', async () => {
      const { far, id, run, place, write, name } = await begin();
      await run();
      const goOn = await still(place, () => splitCutover(far, id, DO));
      await splitAbort(contextOf(client), id, DO);
      await write('app');
      await goOn();
      await assertAlive(client, `app.${name}`, ALL);
      const [other] = await client.db('app2').listCollections({ name }).toArray();
      assert.notEqual(other?.type, 'collection', `app2.${name} takes writes, too`);
    });

    it('before its drop of a view: what an application made under the free name stays', async () => {
      const { far, id, run, name } = await begin();
      await run();
      const goOn = await still((command) => drops(command, 'app2', name), () => splitAbort(far, id, DO));
      await splitAbort(contextOf(client), id, DO);
      await client.db('app2').collection(name).insertMany(Array.from({ length: 300 }, (_, i) => ({ _id: i })), MAJORITY);
      await goOn();
      await assertAlive(client, `app2.${name}`, 300);
    });

    it('before it brings a document over: it writes nothing old over what is new', async () => {
      const { far, id, run, source, name } = await begin();
      await run();
      await source.deleteOne({ _id: 7 }, MAJORITY);
      const goOn = await still((command) => deletes(command, 'app2', `${name}__tune_`), () => splitResume(far, id, DO));
      await source.insertOne({ _id: 7, n: 'again' }, MAJORITY);
      await splitResume(contextOf(client), id, DO);
      await goOn();
      await splitCutover(contextOf(client), id, DO);
      assert.equal((await client.db('app2').collection(name).findOne({ _id: 7 }))?.n, 'again');
      await assertAlive(client, `app2.${name}`, BEFORE);
    });
  });

  describe('by what goes on in the server', () => {
    it('a $merge without its shell writes nothing old over what is new, and brings back nothing that was deleted', async () => {
      const { far, id, run, source, name, proxy } = await begin();
      await run();
      // Whoever holds document 1 of the staging copy holds the first $merge up, with 2 and 3 read already.
      const session = client.startSession();
      session.startTransaction();
      await client.db('app2').collection(`${name}__tune_${id}`).updateOne({ _id: 1 }, { $set: { held: true } }, { session });
      for (const _id of [1, 2, 3]) await source.updateOne({ _id }, { $set: { n: 'old' } }, MAJORITY);
      const resumed = outcome(splitResume(far, id, DO));
      const merges = () => running(client, { 'command.comment': `mongosh-tune ${id}:app.${name}`, 'command.aggregate': { $exists: true }, writeConflicts: { $gt: 0 } });
      await until(async () => (await merges()).length === 1);
      // As it was: whoever brings it over now has nothing to write, and need not wait.
      await source.updateOne({ _id: 1 }, { $set: { n: 1 } }, MAJORITY);
      await source.updateOne({ _id: 2 }, { $set: { n: 'new' } }, MAJORITY);
      await source.deleteOne({ _id: 3 }, MAJORITY);
      proxy.cut();
      await soon(resumed, 'the second try');
      await session.abortTransaction();
      await session.endSession();
      await until(async () => (await merges()).length === 0);
      await splitCutover(contextOf(client), id, DO);
      assert.deepEqual(await client.db('app2').collection(name).find({ _id: { $in: [1, 2, 3] } }).sort({ _id: 1 }).toArray(), [{ _id: 1, n: 1 }, { _id: 2, n: 'new' }]);
    });

    it('a $out whose connection is lost has ended before another one begins', async () => {
      const { far, run, proxy, name } = await begin();
      const failPoint = (mode) => client.db('admin').command({ configureFailPoint: 'hangWhileBuildingDocumentSourceOutBatch', mode, data: { shouldCheckForInterrupt: true } });
      await failPoint('alwaysOn');
      try {
        const done = outcome(run(far));
        const outs = () => running(client, { 'command.aggregate': name, 'command.pipeline.$out': { $exists: true } });
        await until(async () => (await outs()).length === 1);
        proxy.cut();
        // Longer than a shell pauses between two tries.
        let most = 0;
        for (let look = 0; look < 30; look += 1) {
          most = Math.max(most, (await outs()).length);
          await new Promise((resolve) => { setTimeout(resolve, 100); });
        }
        await failPoint('off');
        const { error } = await soon(done, 'the copy');
        assert.equal(error, null);
        assert.equal(most, 1, 'at once');
      } finally {
        await failPoint('off');
      }
    });
  });
});
