'use strict';

const assert = require('node:assert/strict');
const { Timestamp } = require('mongodb');
const { pendingChanges } = require('../../../lib/split/pending-changes');
const { DIRECTION, cursorOf, idBytes, workOf } = require('./kit');

const at = (/** @type {number} */ t) => Timestamp.fromBits(0, t);

describe('split: writes that are not brought over yet', () => {
  const { now } = Date;
  afterEach(() => {
    Date.now = now;
  });

  it('a majority that lags for two minutes is an error, not a difference', async () => {
    let polls = 0;
    const job = workOf({
      command: async () => {
        polls += 1;
        Date.now = () => now() + polls * 100_000;
        const time = { ts: at(5), t: 1 };
        return {
          operationTime: at(9),
          lastWrite: { opTime: { ts: at(9), t: 1 }, majorityOpTime: time },
          ok: 1,
        };
      },
    });
    await assert.rejects(pendingChanges(job, /** @type {any} */ (DIRECTION)).readOn(), {
      code: 'TUNE-35021',
      value: 'app.c',
    });
    assert.ok(polls >= 2, `${polls} polls`);
    assert.match(job.said.join(), /most members/);
  });

  it('the mark of a cut that was undone meanwhile is read past', async () => {
    const newest = { ts: at(9), t: 1 };
    const undone = { name: 'c__aside_x', until: at(8) };
    const to = { db: 'app', coll: undone.name };
    const later = { operationType: 'update', rawKey: [idBytes(7)], isDocument: true };
    const events = [
      { operationType: 'rename', to, clusterTime: at(7), isDocument: false },
      { ...later, clusterTime: at(9), wallTime: new Date() },
    ];
    const job = workOf({
      command: async (/** @type {string} */ _db, /** @type {any} */ spec) => {
        if (spec.find)
          return {
            cursor: { id: 0, firstBatch: [{ ...job.split, token: 't', undoneCuts: [undone] }] },
          };
        const lastWrite = { opTime: newest, majorityOpTime: newest };
        return { operationTime: at(9), lastWrite, ok: 1 };
      },
      watch: () => ({ ...cursorOf(events), resumeToken: 't' }),
    });
    job.split.pendingConflicts = [];
    const pending = pendingChanges(job, /** @type {any} */ (DIRECTION));
    await pending.begin();
    const isPending = await pending.readOn();
    assert.equal(isPending(idBytes(7)), true);
  });

  /** @param {number} t @returns {object} the token of an empty batch */
  const tokenAt = (t) => ({ _data: `82${t.toString(16).padStart(8, '0')}00000000` });

  for (const [what, isLate] of /** @type {[string, boolean][]} */ ([
    ['comes to it later', false],
    ['is opened again', true],
  ]))
    it(`a stream of a member that lacks the newest writes ${what}`, async () => {
      const newest = { ts: at(9), t: 1 };
      const write = { operationType: 'update', rawKey: [idBytes(7)], isDocument: true };
      const event = { ...write, clusterTime: at(9), wallTime: new Date() };
      let opened = 0;
      const { performance } = globalThis;
      const clock = performance.now.bind(performance);
      let aheadMs = 0;
      const job = workOf({
        command: async (/** @type {string} */ _db, /** @type {any} */ spec) =>
          spec.find
            ? { cursor: { id: 0, firstBatch: [{ ...job.split, token: 't' }] } }
            : {
                operationTime: at(9),
                electionId: 'e',
                lastWrite: { opTime: newest, majorityOpTime: newest },
              },
        watch: () => {
          opened += 1;
          const isOld = isLate && opened === 1;
          let reads = 0;
          return {
            close: async () => undefined,
            resumeToken: tokenAt(5),
            tryNext: async () => {
              reads += 1;
              aheadMs += isOld ? 3_000 : 0;
              return !isOld && reads === 2 ? event : null;
            },
          };
        },
      });
      job.split.pendingConflicts = [];
      performance.now = () => clock() + aheadMs;
      try {
        const pending = pendingChanges(job, /** @type {any} */ (DIRECTION));
        await pending.begin();
        assert.equal((await pending.readOn())(idBytes(7)), true);
      } finally {
        performance.now = clock;
      }
      assert.equal(opened, isLate ? 2 : 1);
    });
});
