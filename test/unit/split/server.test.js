'use strict';

const assert = require('node:assert/strict');
const { Timestamp } = require('mongodb');
const { Binary, Long, ObjectId } = require('mongodb');
const { checkPrimary } = require('../../../lib/split/server');
const { checkFree, findSplits } = require('../../../lib/split/state');
const { digests, placesOf } = require('../../../lib/split/digest');
const { keyOf, makeStream } = require('../../../lib/split/stream');
const { cursorOf, failed, idBytes, listed, workOf, DIRECTION } = require('./kit');

/** @param {any[]} hellos one after the other; the last one stays */
function member(...hellos) {
  let asked = 0;
  return {
    asked: () => asked,
    port: /** @type {any} */ ({
      adminCommand: async () => hellos[Math.min(asked++, hellos.length - 1)],
    }),
  };
}
const SECONDARY = Object.freeze({ secondary: true, primary: 'b:27017' });

describe('split: the server', () => {
  const { signal } = new AbortController();
  it(
    'a secondary is told at once, with the primary where it is known; one that just becomes ' +
      'primary is not',
    async () => {
      await assert.rejects(
        checkPrimary(member(SECONDARY).port, signal),
        (error) =>
          error.code === 'TUNE-31003' &&
          /is a secondary, and a split runs on the primary, b:27017\. Connect/.test(error.message),
      );
      await assert.rejects(checkPrimary(member({ secondary: true }).port, signal), (error) =>
        /on the primary\. Connect/.test(error.message),
      );
      const changes = member(SECONDARY, { secondary: false });
      await checkPrimary(changes.port, signal);
      assert.equal(changes.asked(), 2);
    },
  );
  it('who may not read the state learns which right it takes', async () => {
    const port = (/** @type {number} */ code) =>
      /** @type {any} */ ({
        command: async () => {
          throw failed(code);
        },
      });
    await assert.rejects(
      findSplits(port(13), {}),
      (error) =>
        error.code === 'TUNE-20005' &&
        /cannot read tune\.splits, .* readWrite on tune, as in the role tuneSplit/.test(
          error.message,
        ),
    );
    await assert.rejects(findSplits(port(26), {}), { code: 26 });
  });
  it(
    'a plan of which one collection or one target is taken is refused as a whole; its own ' +
      'splits are no hindrance',
    async () => {
      const other = { _id: 'q:app.b', source: 'app.b', target: 'app3.b' };
      const asked = /** @type {any[]} */ ([]);
      const port = (/** @type {any[]} */ found) =>
        /** @type {any} */ ({
          command: async (/** @type {string} */ _db, /** @type {any} */ { filter }) => {
            asked.push(filter);
            return { cursor: { firstBatch: found } };
          },
        });
      const mine = /** @type {any[]} */ ([
        { planId: 'p', source: 'app.a', target: 'app2.a' },
        { planId: 'p', source: 'app.b', target: 'app2.b' },
      ]);
      await checkFree(port([]), mine);
      assert.deepEqual(asked, [
        {
          active: true,
          planId: { $ne: 'p' },
          $or: ['source', 'target'].map((field) => ({
            [field]: { $in: ['app.a', 'app2.a', 'app.b', 'app2.b'] },
          })),
        },
      ]);
      await assert.rejects(
        checkFree(port([other]), mine),
        (error) =>
          error.code === 'TUNE-35002' &&
          error.message.includes('app.b is already being moved: q:app.b'),
      );
      await assert.rejects(
        checkFree(port([{ ...other, source: 'app.x', target: 'app2.a' }]), mine),
        (error) =>
          error.code === 'TUNE-35002' &&
          error.message.includes('app2.a is already the target of another split'),
      );
      await assert.rejects(
        checkFree(port([{ ...other, source: 'app.x', target: 'app.b' }]), mine),
        (error) =>
          error.code === 'TUNE-35002' &&
          error.message.includes('app.b is already the target of another split'),
      );
      await assert.rejects(
        checkFree(port([{ ...other, source: 'app2.b', target: 'app3.x' }]), mine),
        (error) =>
          error.code === 'TUNE-35002' &&
          error.message.includes('app2.b is the source namespace of another split'),
      );
    },
  );
  it('the same id has the same key, and no other has it, also beyond what a number holds', () => {
    const ids = () =>
      [
        7,
        '7',
        'long 7',
        Long.fromNumber(7),
        Long.fromString('9007199254740993'),
        Long.fromString('9007199254740992'),
        new ObjectId('0'.repeat(24)),
        new Binary(Buffer.alloc(16, 3), 4),
        new Binary(Buffer.alloc(16, 3)),
        new Binary(Buffer.alloc(16, 4), 4),
      ].map(idBytes);
    assert.equal(new Set(ids().map(keyOf)).size, ids().length);
    assert.deepEqual(ids().map(keyOf), ids().map(keyOf));
  });
  it(
    'reads come from the primary, and changes as most members have them, whatever the ' +
      'connection string asks for',
    async () => {
      /** @type {any[]} */ const seen = [];
      const job = workOf({
        command: async () => listed({}),
        aggregate: (/** @type {any[]} */ ...call) => {
          seen.push(call[3]);
          return cursorOf([]);
        },
        watch: (/** @type {any[]} */ ...call) => {
          seen.push(call[2]);
          return { ...cursorOf([]), resumeToken: 1 };
        },
      });
      await digests(job, await placesOf(job, /** @type {any} */ (DIRECTION)), {});
      await makeStream(job, /** @type {any} */ (DIRECTION), {
        token: () => 1,
        now: Date.now,
      }).next();
      assert.deepEqual(
        seen.map(({ readPreference, readConcern }) => [readPreference, readConcern.level]),
        [
          ['primary', 'local'],
          ['primary', 'local'],
          ['primary', 'majority'],
        ],
      );
    },
  );

  it('a stream that breaks before its first answer asks for fewer events at once, and later for all', async () => {
    /** @type {number[]} */
    const sizes = [];
    const lasts = { limit: 10, answers: Infinity };
    const later = { operationType: 'update', isDocument: true, rawKey: [idBytes(7)] };
    const event = (/** @type {number} */ i) => ({
      ...later,
      clusterTime: Timestamp.fromBits(0, i),
    });
    const job = workOf({
      watch: (
        /** @type {string} */ _db,
        /** @type {any} */ _pipeline,
        /** @type {any} */ { batchSize },
      ) => {
        sizes.push(batchSize);
        const events = cursorOf([event(7)]);
        let answers = 0;
        const tryNext = async () => {
          answers += 1;
          if (batchSize > lasts.limit || answers > lasts.answers) throw failed(6);
          return events.tryNext();
        };
        return { ...events, tryNext, resumeToken: 't' };
      },
    });
    const stream = makeStream(job, /** @type {any} */ (DIRECTION), {
      token: () => 1,
      now: Date.now,
    });
    for (let lost = 0; lost < 2; lost += 1) await assert.rejects(stream.next());
    assert.equal((await stream.next()).ids.length, 1);
    assert.deepEqual(sizes, [1000, 100, 10]);
    // In full again: once it was idle, and where it broke behind an answer.
    Object.assign(lasts, { limit: Infinity, answers: 2 });
    await stream.next();
    for (let lost = 0; lost < 2; lost += 1) {
      await assert.rejects(stream.next());
      await stream.next();
    }
    assert.deepEqual(sizes, [1000, 100, 10, 1000, 1000, 1000]);
  });
});
