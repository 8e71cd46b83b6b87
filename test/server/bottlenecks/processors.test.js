'use strict';

const assert = require('node:assert/strict');
const { usePatient, warns } = require('../../support/patient');

describe('bottleneck: queries that look through all they find in the cache', () => {
  const patient = usePatient();

  it('cpu, and nothing of WiredTiger to change', async () => {
    await patient.load('scan');
    const advice = await patient.named('cpu');
    assert.equal(advice.change, null);
    assert.equal(advice.conf, null);
    assert.match(advice.explain.join(), /missing indexes/);
    for (const rule of ['cache-reads', 'cache-wait', 'cache-fill', 'dirty-ratio', 'app-eviction']) assert.ok(!warns(advice, rule), `${advice}`);
  });
});
