'use strict';

const assert = require('node:assert/strict');
const { setTimeout: sleep } = require('node:timers/promises');
const { usePatient } = require('../../support/patient');

// From 30 s on a snapshot counts as old, reckoned in writes.
const OLD_MS = 30_000;

describe('bottleneck: a snapshot that a transaction holds open under updates', () => {
  const patient = usePatient({ members: [{}] });

  it('history, and no setting to change; it goes when the transaction ends', async () => {
    await patient.load('steady');
    const session = patient.server.client.startSession();
    session.startTransaction({ readConcern: { level: 'snapshot' } });
    await patient.server.db('load').collection('steady').findOne({}, { session });
    await sleep(OLD_MS);
    const advice = await patient.named('history');
    assert.match(advice.because, /^The oldest snapshot pins [\d,]+ transaction ids/);
    assert.equal(advice.conf, null);
    assert.match(advice.explain.join(), /db\.currentOp.*db\.killOp/);

    await session.abortTransaction();
    await patient.rid('history', 'history-store');
  });
});
