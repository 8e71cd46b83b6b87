'use strict';

const assert = require('node:assert/strict');
const { usePatient, DIRECT } = require('../../support/patient');

const TICKETS = 4;

describe('bottleneck: readers that queue for a few tickets, whose holders read pages', () => {
  const patient = usePatient({
    args: [...DIRECT, '--setParameter', `wiredTigerConcurrentReadTransactions=${TICKETS}`],
  });

  it('cache-read, with the pool of tickets and by what it was set; again after a change at runtime', async () => {
    await patient.load('read');
    const advice = await patient.named('cache-read');
    assert.deepEqual(Object.keys(advice.change ?? {}), ['cacheSizeGB']);
    assert.match(
      advice.because,
      /queue for tickets behind them\. The pool of read tickets is set to 4 by a start-up parameter \(default 128\)\./,
    );
    assert.match(advice.explain.join('\n'), /wiredTigerConcurrentReadTransactions: 128/);
    const { parts = [] } = advice.accounting ?? {};
    assert.ok(
      ['reading', 'tickets'].every((wait) => parts.some(({ what }) => what === wait)),
      JSON.stringify(advice.accounting),
    );

    await patient.server.adminCommand({
      setParameter: 1,
      wiredTigerConcurrentReadTransactions: TICKETS + 2,
    });
    const later = await patient.named('cache-read');
    assert.match(later.because, /is set to 6 at runtime \(default 128\)/);
  });
});
