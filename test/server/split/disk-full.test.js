'use strict';

const assert = require('node:assert/strict');
const terminal = require('node:console');
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { skipIf } = require('../../support/skip');
const { slowDisk, whyNoSlowDisk } = require('../../support/slow-disk');
const { planOf, startRegister, until } = require('../../support/split');
const { whyNotLong } = require('../../support/trial');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRun } = require('../../../lib/commands/split-run');

const DO = Object.freeze({ confirm: true });
const MB = 2 ** 20;
const DISK_MB = 200;
const DOCUMENTS = 10_000;
/** So little of them that neither the copy nor the indexes fit. */
const ROOM_MB = 4;
/** A lease, a start, an election; on a machine that does other things too. */
const LIMIT_MS = 300_000;
/** Seconds between two checkpoints: it is they who meet the end of the disk. */
const SYNC_SECONDS = '2';

/** The target's database has a disk of its own, as with directoryPerDB it may. */
describe('a split whose target disk becomes full', function () {
  this.timeout(LIMIT_MS);
  let disk;
  let server;
  let number = 0;
  const { warn } = terminal;
  before(async function () {
    // mongodb-memory-server tries to end what has ended, and tells of it at length.
    terminal.warn = () => undefined;
    skipIf(this, whyNoSlowDisk());
    disk = slowDisk({ sizeMB: DISK_MB });
    server = await startReplicaSet({
      members: 1,
      args: ['--directoryperdb', '--syncdelay', SYNC_SECONDS],
    });
    fs.symlinkSync(disk.path, path.join(server.dbPath, 'app2'));
  });
  after(async () => {
    await server?.stop();
    disk?.remove();
    terminal.warn = warn;
  });

  const filler = () => path.join(disk.path, 'filler');
  const freeMB = () => {
    const { bavail, bsize } = fs.statfsSync(disk.path);
    return Math.floor((bavail * bsize) / MB);
  };
  function fill() {
    const file = fs.openSync(filler(), 'a');
    for (let left = freeMB() - ROOM_MB; left > 0; left -= 1)
      fs.writeSync(file, Buffer.alloc(MB, 1));
    fs.closeSync(file);
  }
  const isUp = () => {
    try {
      return process.kill(server.pid, 0);
    } catch {
      return false;
    }
  };

  /**
   * Room, and the server again where it ended, or ends now: a checkpoint that met the end of the
   * disk may be under way yet.
   */
  async function mend() {
    fs.rmSync(filler());
    await until(async () => {
      if (!isUp()) await server.revive(server.hosts[0]);
      return (await server.adminCommand({ hello: 1 }).catch(() => ({}))).isWritablePrimary;
    }, LIMIT_MS);
  }

  /** Nothing of it can be compressed. */
  async function begin(method) {
    number += 1;
    const name = `c${number}`;
    const from = server.client.db('app').collection(name);
    await from.createIndex({ key: 1 });
    for (let i = 0; i < DOCUMENTS; i += 1000)
      await from.insertMany(
        Array.from({ length: 1000 }, (_, j) => ({
          _id: i + j,
          key: crypto.randomBytes(1200).toString('base64'),
          pad: crypto.randomBytes(500),
        })),
        { writeConcern: { w: 'majority' } },
      );
    const register = startRegister(server.client, {
      db: 'app',
      name,
      writeConcern: { w: 'majority' },
      pauseMs: 40,
    });
    await until(() => register.counts.acknowledged > 20);
    return {
      name,
      register,
      plan: await planOf(server.client, {
        moves: [{ ns: `app.${name}`, into: `app2.${name}`, method }],
      }),
    };
  }

  /** Fills the disk before a command. @param {(command: any) => boolean} when */
  function filling(when) {
    const ctx = contextOf(server.client);
    const { command } = ctx.port;
    let done = false;
    ctx.port.command = async (database, spec) => {
      if (!done && when(spec)) {
        done = true;
        fill();
      }
      return command(database, spec);
    };
    return ctx;
  }
  const WHEN = Object.freeze({
    'the copy': (command) =>
      Boolean(command.aggregate && command.pipeline.some((stage) => stage.$out || stage.$merge)),
    'the building of the indexes': (command) =>
      Boolean(command.createIndexes) && command.createIndexes !== 'splits',
  });

  /** Everything is there, and can be written to. */
  async function whole({ name, register }, db) {
    register.place.db = db;
    const before = register.counts.acknowledged;
    await until(() => register.counts.acknowledged > before + 20, LIMIT_MS);
    await register.stop();
    assert.deepEqual(await register.differences(db, name), []);
    assert.equal(
      await server.client
        .db(db)
        .collection(name)
        .countDocuments({ _id: { $type: 'number' } }),
      DOCUMENTS,
    );
    assert.deepEqual(
      (await server.client.db(db).collection(name).indexes()).map((index) => index.name),
      ['_id_', 'key_1'],
    );
    await Promise.all(['app', 'app2'].map((one) => server.client.db(one).dropDatabase()));
  }

  it('in the middle of the copy the server ends, or has no room for the indexes; with room it goes on', async () => {
    const split = await begin('out');
    const ended = splitRun(filling(WHEN['the copy']), split.plan, DO).then(
      ({ splits }) => ({ phase: splits[0].phase }),
      (error) => ({ error }),
    );
    await Promise.race([ended, until(() => !isUp(), LIMIT_MS)]);
    // Which of both is a matter of when the checkpoint comes; after a refusal it may end the server
    // yet.
    await until(() => !isUp(), 2 * 1000 * Number(SYNC_SECONDS)).catch(() => undefined);
    await mend();
    // A run that was refused room by a server that ended right after writes that down once there is
    // one again.
    const { phase, error } = await ended;
    if (error) {
      assert.match(error.message, /No space left|no answer/);
      await splitResume(contextOf(server.client), split.plan.id);
    } else assert.equal(phase, 'following');
    await splitCutover(contextOf(server.client), split.plan.id, DO);
    await whole(split, 'app2');
  });

  for (const [what, method, way] of [
    ['the copy', 'out', 'abort'],
    ['the copy', 'ranges', 'resume'],
    ['the building of the indexes', 'out', 'resume'],
    ['the building of the indexes', 'out', 'abort'],
  ]) {
    it(
      `in the middle of ${what} by ${method}, and nobody helps: it says so, the source is ` +
        `whole, ${way} does the rest (long)`,
      async function () {
        skipIf(this, whyNotLong());
        const split = await begin(method);
        const error = await splitRun(filling(WHEN[what]), split.plan, DO).catch((thrown) => thrown);
        assert.equal(isUp(), false);
        await mend();
        assert.equal(error.code, 'TUNE-20006', error);
        assert.match(
          error.message,
          /the server did not respond.*Nothing is lost.*tune\.split\.resume\("/,
        );
        const ctx = contextOf(server.client);
        assert.equal(
          await server.client
            .db('app')
            .collection(split.name)
            .countDocuments({ _id: { $type: 'number' } }),
          DOCUMENTS,
        );
        if (way === 'abort') {
          await splitAbort(ctx, split.plan.id, DO);
          assert.deepEqual(
            (await server.client.db('app2').listCollections().toArray())
              .map(({ name }) => name)
              .filter((name) => name !== 'system.views'),
            [],
          );
        } else {
          assert.equal(
            (await splitResume(ctx, split.plan.id, { confirm: true })).splits[0].phase,
            'following',
          );
          await splitCutover(ctx, split.plan.id, DO);
        }
        await whole(split, way === 'abort' ? 'app' : 'app2');
      },
    );
  }
});
