'use strict';

const assert = require('node:assert/strict');
const { usePatient, warns } = require('../../support/patient');

describe('bottleneck: inserts into indexes that change all over', () => {
  const patient = usePatient();

  it('cache-dirty, though the cache is not even full; a larger one, and the finding goes', async () => {
    await patient.load('insert');
    const advice = await patient.named('cache-dirty');
    assert.ok(warns(advice, 'cache-wait'), `${advice}`);
    assert.deepEqual(Object.keys(advice.change ?? {}), ['cacheSizeGB'], `${advice}`);
    assert.ok(Number(advice.change?.cacheSizeGB) > 0.25);

    await patient.take(advice);
    await patient.rid('cache-dirty', 'cache-wait');
  });
});
