'use strict';

const assert = require('node:assert/strict');
const { Timestamp } = require('mongodb');
const { pendingChanges } = require('../../../lib/split/pending-changes');
const { DIRECTION, workOf } = require('./kit');

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
});
