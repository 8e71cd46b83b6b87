'use strict';

/**
 * What a network, a paused machine and a second operator can do to a split, one moment each: a
 * command that arrives long after its shell lost the connection and did it again, a shell that
 * stalled while another one took over, an operation that went on in the server without its
 * shell. Every name is told from what is there in the end: all documents that were acknowledged,
 * under one name that takes writes.
 */
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const {
  assertAlive,
  outcome,
  running,
  soon,
  startAttacked,
  until,
  BEFORE,
  DO,
  MAJORITY,
  SINCE,
} = require('../../support/attacked');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { drive, ENDS } = require('../../support/honest-operator');
const { deletes, drops, writesBy } = require('../../support/sent');
const { startReplicaSet } = require('../../support/server');
const { skipIf } = require('../../support/skip');
const { planOf, useSet } = require('../../support/split');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitRun } = require('../../../lib/commands/split-run');

const ALONE = Object.freeze({ confirm: true, guardian: false });

const ALL = BEFORE + SINCE;

describe('a split that is attacked', function () {
  this.timeout(180_000);
  let server;
  let client;
  let number = 0;
  /** @type {Awaited<ReturnType<typeof startAttacked>> | undefined} */ let split;
  useSet(
    (set) => {
      ({ server, client } = set);
    },
    { args: ['--setParameter', 'enableTestCommands=1'] },
  );
  afterEach(async () => {
    await split?.stop();
    split = undefined;
  });
  const begin = async (of = {}) => {
    number += 1;
    split = await startAttacked(server, { name: `c${number}`, ...of });
    return split;
  };

  /**
   * The command is held, its connection is lost, and the shell does it again until it is done.
   * @returns {Promise<any>} what is held
   */
  async function lost(fits, job) {
    const held = split.proxy.hold(fits);
    const done = job();
    await soon(
      Promise.race([
        held.arrived,
        done.then(() => assert.ok(held.hasArrived(), 'nothing of that kind was sent')),
      ]),
      'the command that is held',
    );
    await soon(done, 'the second try');
    return held;
  }

  describe('by a message that arrives late', () => {
    it('that of the switch drops nothing that was written since', async () => {
      const { far, id, run, place, write, name } = await begin();
      await run();
      const held = await lost(place, () => splitCutover(far, id, ALONE));
      await write('app2');
      await held.deliver();
      await assertAlive(client, `app2.${name}`, ALL);
    });

    it('that of an abort drops nothing of the source', async () => {
      const { far, id, run, putBack, stopsAt, write, name } = await begin();
      await run();
      await outcome(splitCutover(stopsAt('draining'), id, ALONE));
      await split.lapse();
      const held = await lost(putBack, () => splitAbort(far, id, DO));
      await write('app');
      await held.deliver();
      await assertAlive(client, `app.${name}`, ALL);
    });

    it('that of the end of a rollback drops nothing of the source', async () => {
      const { far, id, run, putBack, write, name } = await begin();
      await run();
      await splitCutover(contextOf(client), id, ALONE);
      const held = await lost(putBack, () => splitRollback(far, id, ALONE));
      await write('app');
      await held.deliver();
      await assertAlive(client, `app.${name}`, ALL);
    });

    it('that of the cut leaves the source alone after a rollback', async () => {
      const { far, id, run, cut, write, name } = await begin();
      await run();
      const held = await lost(cut, () => splitCutover(far, id, ALONE));
      await splitRollback(contextOf(client), id, ALONE);
      await write('app');
      await held.deliver();
      await assertAlive(client, `app.${name}`, ALL);
    });

    it('that of the cut of a rollback leaves the new place of a later split alone', async () => {
      const { far, id, run, reverseCutOver, write, name } = await begin();
      await run();
      await splitCutover(contextOf(client), id, ALONE);
      const held = await lost(reverseCutOver, () => splitRollback(far, id, ALONE));
      await splitFinish(contextOf(client), id, DO);
      const plan = await planOf(client, { moves: [{ ns: `app.${name}`, into: `app2.${name}` }] });
      await splitRun(contextOf(client), plan, DO);
      await splitCutover(contextOf(client), plan.id, ALONE);
      await write('app2');
      await held.deliver();
      await assertAlive(client, `app2.${name}`, ALL);
    });

    for (const [what, db, go] of [
      [
        'finish',
        'app',
        async ({ far, id }) => {
          await splitCutover(contextOf(client), id, ALONE);
          return () => splitFinish(far, id, { ...DO, open: true });
        },
      ],
      [
        'finish after a rollback',
        'app2',
        async ({ far, id }) => {
          await splitCutover(contextOf(client), id, ALONE);
          await splitRollback(contextOf(client), id, ALONE);
          return () => splitFinish(far, id, DO);
        },
      ],
      [
        'abort',
        'app2',
        async ({ far, id }) =>
          () =>
            splitAbort(far, id, DO),
      ],
    ]) {
      it(`the drop of a view by ${what} leaves alone what an application made under the free name`, async () => {
        const { name, run } = await begin();
        await run();
        const job = await go(split);
        const held = await lost((command) => drops(command, db, name), job);
        await client
          .db(db)
          .collection(name)
          .insertMany(
            Array.from({ length: 300 }, (_, i) => ({ _id: i })),
            MAJORITY,
          );
        await held.deliver();
        await assertAlive(client, `${db}.${name}`, 300);
      });
    }

    it('a delete takes out nothing that was inserted since', async () => {
      const { far, id, run, source, name } = await begin();
      await run();
      await source.deleteOne({ _id: 7 }, MAJORITY);
      const held = await lost(
        (command) => deletes(command, 'app2', `${name}__tune_`),
        () => splitResume(far, id, DO),
      );
      await source.insertOne({ _id: 7, n: 'again' }, MAJORITY);
      await splitResume(contextOf(client), id, DO);
      await held.deliver();
      await splitCutover(contextOf(client), id, ALONE);
      await assertAlive(client, `app2.${name}`, BEFORE);
      assert.equal((await client.db('app2').collection(name).findOne({ _id: 7 }))?.n, 'again');
    });

    it('a $out while it follows: nothing is lost, and there is a way on', async () => {
      const { far, id, run, write, name } = await begin();
      const held = await lost(
        (command) => writesBy(command, '$out', 'app'),
        () => run(far),
      );
      await write('app');
      await splitResume(contextOf(client), id, DO);
      await held.deliver();
      const { phase, tried } = await drive(() => contextOf(client), id);
      assert.ok(ENDS.includes(phase), reported(tried));
      await assertAlive(client, `${phase === 'switched' ? 'app2' : 'app'}.${name}`, ALL);
    });

    it('a $merge after the switch does not take the way back away', async () => {
      const { far, id, run, cut, source, write, name } = await begin();
      await run();
      // Written when the last look at the stream is over, it is brought over after the cut.
      const late = split.proxy.hold(cut, { lose: false });
      const held = await lost(
        (command) => writesBy(command, '$merge', 'app'),
        async () => {
          const done = splitCutover(far, id, ALONE);
          await soon(late.arrived, 'the cut');
          await source.updateOne({ _id: 3 }, { $set: { n: 'meanwhile' } }, MAJORITY);
          await late.deliver();
          await done;
        },
      );
      await write('app2');
      await held.deliver();
      await assertAlive(client, `app2.${name}`, ALL);
      await splitRollback(contextOf(client), id, ALONE);
      await assertAlive(client, `app.${name}`, ALL);
      assert.equal((await source.findOne({ _id: 3 }))?.n, 'meanwhile');
    });
  });

  describe('by a shell that stalls', () => {
    /**
     * A shell that stops with a command on its way while another one takes over.
     * @returns {Promise<() => Promise<any>>} it goes on
     */
    async function still(fits, job) {
      const held = split.proxy.hold(fits, { lose: false });
      const gone = outcome(job());
      await soon(
        Promise.race([
          held.arrived,
          gone.then(({ error }) => {
            if (!held.hasArrived()) throw error ?? new Error('nothing of that kind was sent');
          }),
        ]),
        'the command that is held',
      );
      split.proxy.freeze();
      await split.lapse();
      return async () => {
        const delivered = held.deliver();
        split.proxy.thaw();
        await soon(delivered, 'the answer to what was held');
        return soon(gone, 'the end of the shell');
      };
    }

    it(
      'before its switch: it drops nothing of what another one switched, and does not say ' +
        'otherwise',
      async () => {
        const { far, id, run, place, write, name } = await begin();
        await run();
        const goOn = await still(place, () => splitCutover(far, id, ALONE));
        await splitResume(contextOf(client), id, DO);
        await write('app2');
        await goOn();
        await assertAlive(client, `app2.${name}`, ALL);
        assert.equal(await split.phase(), 'switched');
      },
    );

    it('before its cut: a source whose split was given up stays where it is', async () => {
      const { far, id, run, cut, write, name } = await begin();
      await run();
      const goOn = await still(cut, () => splitCutover(far, id, ALONE));
      await splitAbort(contextOf(client), id, DO);
      await write('app');
      await goOn();
      await assertAlive(client, `app.${name}`, ALL);
      assert.equal(await split.phase(), 'aborted');
    });

    it('before the end of its abort: what another one gave up stays as it is', async () => {
      const { far, id, run, putBack, stopsAt, write, name } = await begin();
      await run();
      await outcome(splitCutover(stopsAt('draining'), id, ALONE));
      await split.lapse();
      const goOn = await still(putBack, () => splitAbort(far, id, DO));
      await splitAbort(contextOf(client), id, DO);
      await write('app');
      await goOn();
      await assertAlive(client, `app.${name}`, ALL);
    });

    it('before its switch, and another one gives up: one name has the data, and only one', async () => {
      const { far, id, run, place, write, name } = await begin();
      await run();
      const goOn = await still(place, () => splitCutover(far, id, ALONE));
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
      const goOn = await still(
        (command) => drops(command, 'app2', name),
        () => splitAbort(far, id, DO),
      );
      await splitAbort(contextOf(client), id, DO);
      await client
        .db('app2')
        .collection(name)
        .insertMany(
          Array.from({ length: 300 }, (_, i) => ({ _id: i })),
          MAJORITY,
        );
      await goOn();
      await assertAlive(client, `app2.${name}`, 300);
    });

    it('before it takes a document out: what was inserted since stays', async () => {
      const { far, id, run, source, name } = await begin();
      await run();
      await source.deleteOne({ _id: 7 }, MAJORITY);
      const held = split.proxy.hold((command) => deletes(command, 'app2', `${name}__tune_`), {
        lose: false,
      });
      const user = new AbortController();
      const gone = outcome(splitResume({ ...far, signal: user.signal }, id, DO));
      await soon(held.arrived, 'the delete');
      split.proxy.freeze();
      await split.lapse();
      await source.insertOne({ _id: 7, n: 'again' }, MAJORITY);
      await splitResume(contextOf(client), id, DO);
      // It knows by its clock that it must do nothing further: only what was on its way arrives.
      await held.deliver();
      await split.stop();
      user.abort();
      await gone;
      await splitCutover(contextOf(client), id, ALONE);
      assert.equal((await client.db('app2').collection(name).findOne({ _id: 7 }))?.n, 'again');
      await assertAlive(client, `app2.${name}`, BEFORE);
    });
  });

  describe('by what goes on in the server', () => {
    it('a $merge without its shell writes nothing old over what is new, nor what was deleted', async () => {
      const { far, id, run, source, name, proxy } = await begin();
      await run();
      const user = new AbortController();
      const stays = outcome(
        splitResume({ ...far, signal: user.signal }, id, { ...DO, follow: true }),
      );
      await until(
        async () =>
          far.progressed.includes(null) &&
          (await client.db('tune').collection('splits').findOne({ planId: id })).lease !== null,
      );
      // Whoever holds document 1 of the staging copy holds the first $merge up, with 2 and 3 read
      // already.
      const session = client.startSession();
      session.startTransaction();
      const staging = client.db('app2').collection(`${name}__tune_${id}`);
      await staging.updateOne({ _id: 1 }, { $set: { held: true } }, { session });
      // Of one transaction, so they are brought over together.
      await client.withSession((one) =>
        one.withTransaction(async () => {
          await source.updateMany(
            { _id: { $in: [1, 2, 3] } },
            { $set: { n: 'old' } },
            { session: one },
          );
        }),
      );
      // A $merge is shown as what it does at the moment.
      const merges = () =>
        running(client, {
          ns: `app2.${name}__tune_${id}`,
          op: 'update',
          writeConflicts: { $gt: 0 },
        });
      await until(async () => (await merges()).length === 1);
      // As it was: whoever brings it over now has nothing to write, and need not wait.
      await source.updateOne({ _id: 1 }, { $set: { n: 1 } }, MAJORITY);
      await source.updateOne({ _id: 2 }, { $set: { n: 'new' } }, MAJORITY);
      await source.deleteOne({ _id: 3 }, MAJORITY);
      proxy.cut();
      // Unless the shell waits for the first one, which is right, too.
      await until(
        async () =>
          (await staging.countDocuments({ _id: 3 })) === 0 &&
          (await staging.findOne({ _id: 2 }))?.n === 'new',
        20_000,
      ).catch(() => undefined);
      // Long enough for what is behind the change to be written down.
      await pause(4_000);
      await session.abortTransaction();
      await session.endSession();
      await until(async () => (await merges()).length === 0);
      user.abort();
      await soon(stays, 'the end of the shell');
      // One that was interrupted before the staging copy had another name does not give its lease
      // back.
      await split.lapse();
      await splitCutover(contextOf(client), id, ALONE);
      assert.deepEqual(
        await client
          .db('app2')
          .collection(name)
          .find({ _id: { $in: [1, 2, 3] } })
          .sort({ _id: 1 })
          .toArray(),
        [
          { _id: 1, n: 1 },
          { _id: 2, n: 'new' },
        ],
      );
    });

    it('a $out whose connection is lost has ended before another one begins', async () => {
      const { far, run, proxy, name } = await begin();
      const failPoint = (mode) =>
        client
          .db('admin')
          .command({
            configureFailPoint: 'hangWhileBuildingDocumentSourceOutBatch',
            mode,
            data: { shouldCheckForInterrupt: true },
          });
      await failPoint('alwaysOn');
      try {
        const done = outcome(run(far));
        const outs = () =>
          running(client, {
            'command.aggregate': name,
            'command.pipeline.$out': { $exists: true },
          });
        await until(async () => (await outs()).length === 1);
        proxy.cut();
        // Longer than a shell pauses between two tries.
        let max = 0;
        for (let sample = 0; sample < 30; sample += 1) {
          max = Math.max(max, (await outs()).length);
          await new Promise((resolve) => {
            setTimeout(resolve, 100);
          });
        }
        await failPoint('off');
        const { error } = await soon(done, 'the copy');
        assert.equal(error, null);
        assert.equal(max, 1, 'at once');
      } finally {
        await failPoint('off');
      }
    });
  });

  describe('by a build of an index', () => {
    /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let own;
    let pid = 0;
    beforeEach(async () => {
      own = await startReplicaSet({ members: 1, args: ['--setParameter', 'enableTestCommands=1'] });
      pid = own.pid;
    });
    afterEach(async () => {
      await split?.stop();
      split = undefined;
      await own.stop();
    });
    const beginOwn = async () => {
      split = await startAttacked(own, { name: 'c' });
      await split.run();
      return split;
    };
    const hang = (mode) =>
      own.client.db('admin').command({ configureFailPoint: 'hangAfterStartingIndexBuild', mode });

    /**
     * Somebody builds one, and it takes its time.
     * @returns {Promise<() => Promise<unknown>>} it comes to its end
     */
    async function building(db, name) {
      await hang('alwaysOn');
      const built = outcome(own.client.db(db).collection(name).createIndex({ n: 1 }));
      await until(
        async () => (await running(own.client, { 'command.createIndexes': name })).length > 0,
      );
      await pause(500);
      return async () => {
        await hang('off');
        return built;
      };
    }

    /** The server is there, and after the build the split comes to an end with all documents. */
    async function survives(job, release) {
      // Until it has done what it can while the index is built.
      await Promise.race([job, pause(5_000)]);
      assert.ok(isAlive(pid), 'mongod has ended');
      await release();
      await soon(job, 'the end of the command');
      assert.ok(isAlive(pid), 'mongod has ended');
      const { phase, tried } = await drive(() => contextOf(own.client), split.id);
      assert.ok(ENDS.includes(phase), reported(tried));
      const db = phase === 'switched' ? 'app2' : 'app';
      await assertAlive(own.client, `${db}.c`, BEFORE);
      return db;
    }

    it('on the source while a transaction holds the cut up: the server goes on, the index goes along', async () => {
      const { id } = await beginOwn();
      await own.client.db('other').collection('x').insertOne({ _id: 1 });
      const session = own.client.startSession();
      session.startTransaction();
      await own.client
        .db('other')
        .collection('x')
        .updateOne({ _id: 1 }, { $set: { n: 1 } }, { session });
      const job = outcome(splitCutover(contextOf(own.client), id, ALONE));
      await until(async () => (await split.phase()) === 'cutting');
      const release = await building('app', 'c');
      await session.commitTransaction();
      await session.endSession();
      const db = await survives(job, release);
      assert.ok(
        (await own.client.db(db).collection('c').indexes()).some(({ name }) => name === 'n_1'),
        `${db}.c has not the index that was acknowledged`,
      );
    });

    it('on the staging copy before the switch: the server goes on', async () => {
      const { id, stopsAt } = await beginOwn();
      await outcome(splitCutover(stopsAt('switching'), id, ALONE));
      await split.lapse();
      const release = await building('app2', `c__tune_${id}`);
      await survives(outcome(splitResume(contextOf(own.client), id, DO)), release);
    });

    it('on the new place before a rollback: the server goes on', async () => {
      const { id } = await beginOwn();
      await splitCutover(contextOf(own.client), id, ALONE);
      const release = await building('app2', 'c');
      await survives(outcome(splitRollback(contextOf(own.client), id, ALONE)), release);
    });

    it('on the renamed source before an abort: the server goes on', async () => {
      const { id, stopsAt } = await beginOwn();
      await outcome(splitCutover(stopsAt('draining'), id, ALONE));
      await split.lapse();
      const release = await building('app', `c__aside_${id}`);
      await survives(outcome(splitAbort(contextOf(own.client), id, DO)), release);
    });

    it('on the renamed source before the end of a rollback: the server goes on', async () => {
      const { id, stopsAt } = await beginOwn();
      await splitCutover(contextOf(own.client), id, ALONE);
      await outcome(splitRollback(stopsAt('draining-back'), id, ALONE));
      await split.lapse();
      const release = await building('app', `c__aside_${id}`);
      await survives(outcome(splitRollback(contextOf(own.client), id, ALONE)), release);
    });
  });

  it('whoever tries the other name after an abort is not acknowledged where the data is not', async () => {
    const { id, run, stopsAt, source, target, name } = await begin();
    await run();
    await outcome(splitCutover(await stopsAt('draining'), id, ALONE));
    await assert.rejects(source.insertOne({ _id: BEFORE }, MAJORITY), { code: 166 });
    await split.lapse();
    await splitAbort(contextOf(client), id, DO);
    // As docs/split.md has it: the same at the other name, in turn.
    await target
      .insertOne({ _id: BEFORE }, MAJORITY)
      .catch(() => source.insertOne({ _id: BEFORE }, MAJORITY));
    await assertAlive(client, `app.${name}`, BEFORE + 1);
  });

  it('a shell of another container with the same host name does not take a living shell for dead', async function () {
    // Only root may give a process a process table of its own.
    skipIf(
      this,
      spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0
        ? null
        : 'unshare is refused here',
    );
    const { far, id, run } = await begin();
    await run();
    const user = new AbortController();
    const stays = outcome(
      splitResume({ ...far, signal: user.signal }, id, { ...DO, follow: true }),
    );
    const leased = async () =>
      (await client.db('tune').collection('splits').findOne({ planId: id })).lease;
    await until(async () => (await leased()) !== null);
    const { owner } = await leased();
    const home = temporaryFolder('home');
    const other = spawnSync(
      'unshare',
      [
        '--pid',
        '--fork',
        '--mount-proc',
        process.execPath,
        path.join(__dirname, '../../support/abort-once.js'),
        server.uri,
        id,
        home.path,
      ],
      { encoding: 'utf8', timeout: 120_000, env: { ...process.env, TMPDIR: home.path } },
    );
    home.remove();
    const now = await leased();
    user.abort();
    await soon(stays, 'the end of the shell');
    assert.match(other.stdout, /TUNE-35003/);
    assert.equal(now?.owner, owner);
    assert.equal(await split.phase(), 'following');
  });
});

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (_gone) {
    return false;
  }
}
const pause = (/** @type {number} */ ms) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
/** @param {{ call: string, error: any }[]} tried */
const reported = (tried) =>
  tried.map(({ call, error }) => `${call}: ${error?.message ?? 'done'}`).join('\n');
