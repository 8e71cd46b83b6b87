'use strict';

const assert = require('node:assert/strict');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { askedStrings } = require('../../support/engine');
const { startReplicaSet } = require('../../support/server');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');

const DO = Object.freeze({ confirm: true });
const FORCE = Object.freeze({ confirm: true, force: true });
const MIB = 2 ** 20;
const TINY = Object.freeze({ evictionUpdatesTarget: MIB, evictionUpdatesTrigger: MIB + 1 });
/** Far more than the trigger, far less than 1% of what a cache can hold. */
const DOCUMENTS = 2000;
const WRITERS = 4;
const TRIES = 3;
const ROLLED_BACK = 112;

describe('thresholds of updates in bytes that are next to nothing', function () {
  this.timeout(180_000);
  /** @type {any} */ let server;
  /** @type {any} */ let home;
  before(async () => {
    server = await startReplicaSet({ cacheSizeGB: 1 });
  });
  after(() => server?.stop());
  beforeEach(() => {
    home = temporaryFolder('home');
  });
  afterEach(() => home?.remove());
  const context = () => contextOf(server.client, { home: home.path });

  /** @returns {Promise<number[]>} codes of the errors that ended transactions of 20 MB */
  async function rolledBack() {
    const big = server.db('test').collection('big');
    await big.insertOne({ first: true });
    const filler = 'x'.repeat(10_000);
    const writer = async (/** @type {number} */ w) => {
      /** @type {number[]} */ const codes = [];
      for (let i = 0; i < TRIES; i += 1) {
        const session = server.client.startSession();
        try {
          session.startTransaction();
          for (let k = 0; k < DOCUMENTS; k += 100)
            await big.insertMany(
              Array.from({ length: 100 }, (_, n) => ({ w, n, filler: filler + Math.random() })),
              { session },
            );
          await session.commitTransaction();
        } catch (error) {
          codes.push(error.code);
          await session.abortTransaction().catch(() => undefined);
        }
        await session.endSession();
      }
      return codes;
    };
    return (await Promise.all(Array.from({ length: WRITERS }, (_, w) => writer(w)))).flat();
  }

  it('are refused, for transactions are rolled back with them; force sets them', async () => {
    assert.deepEqual(await rolledBack(), []);
    for (const options of [{}, DO])
      await assert.rejects(apply(context(), TINY, options), (error) => {
        assert.equal(error.code, 'TUNE-30003');
        assert.match(error.message, /evictionUpdatesTarget 1 MiB is 0\.098% of a cache of 1 GiB/);
        return true;
      });
    assert.deepEqual(await askedStrings(server), []);
    await apply(context(), TINY, FORCE);
    try {
      const codes = await rolledBack();
      assert.ok(codes.includes(ROLLED_BACK), `ended by: ${codes.join()}`);
    } finally {
      await undo(context(), FORCE);
    }
  });
});
