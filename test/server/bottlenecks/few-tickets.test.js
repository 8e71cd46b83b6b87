'use strict';

const assert = require('node:assert/strict');
const { usePatient, DIRECT } = require('../../support/patient');
const { observe } = require('../../../lib/observe/observe');
const { metricsOf } = require('../../../lib/server/pure/metrics');

const TICKETS = 2;
/** What 6.0 takes at runtime. */
const LEAST = 5;
// On a busy machine the clients do not always fill the pool.
const ATTEMPTS = 6;

describe('bottleneck: readers that queue for a few tickets, whose holders read pages', () => {
  const patient = usePatient({
    args: [...DIRECT, '--setParameter', `wiredTigerConcurrentReadTransactions=${TICKETS}`],
  });

  it('cache-read, with the pool of tickets and by what it was set', async () => {
    await patient.load('read');
    const queued = async () => {
      for (let attempts = 1; ; attempts += 1) {
        const advice = await patient.named('cache-read');
        if (attempts >= ATTEMPTS || advice.because.includes('queue for tickets')) return advice;
      }
    };
    const advice = await queued();
    assert.deepEqual(Object.keys(advice.change ?? {}), ['cacheSizeGB']);
    assert.match(
      advice.because,
      /queue for tickets behind them\. The pool of read tickets is set to 2 by a start-up parameter \(default 128\)\./,
    );
    assert.match(advice.explain.join('\n'), /wiredTigerConcurrentReadTransactions: 128/);
    const { parts = [] } = advice.accounting ?? {};
    assert.ok(
      ['reading', 'tickets'].every((wait) => parts.some(({ what }) => what === wait)),
      JSON.stringify(advice.accounting),
    );

    await patient.server.adminCommand({
      setParameter: 1,
      wiredTigerConcurrentReadTransactions: LEAST,
    });
    const { window, facts } = await observe(patient.ctx, { seconds: 1 });
    const { 'tickets.readTotal': total, 'tickets.isReadSetAtStart': isOfStart } = metricsOf(
      window,
      facts,
    );
    assert.deepEqual([total, isOfStart], [LEAST, 0]);
  });
});
