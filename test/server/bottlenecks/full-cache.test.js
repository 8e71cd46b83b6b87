'use strict';

const assert = require('node:assert/strict');
const { usePatient, warns } = require('../../support/patient');
const { run: status } = require('../../../lib/commands/status');
const { run: advise } = require('../../../lib/commands/advise');

describe('no bottleneck: a full cache whose pages come back out of the page cache', () => {
  const patient = usePatient();

  it('none, and nothing to change, though the cache is full and pages are read all the time', async () => {
    await patient.load('calm');
    const advice = await advise(patient.ctx, { seconds: 5 });
    const { cache } = await status(patient.ctx);
    assert.ok(
      Number(cache.usedRatio) > 0.7 && Number(cache.readBytesPerSec) > 2 ** 20,
      `the cache is not full, or nothing is read: ${JSON.stringify(cache)}`,
    );
    assert.equal(advice.bottleneck, 'none', `${advice}`);
    assert.equal(advice.change, null);
    assert.ok(!warns(advice, 'cache-fill') && !warns(advice, 'page-reads'), `${advice}`);
  });
});
