'use strict';

const assert = require('node:assert/strict');
const { usePatient, warns } = require('../../support/patient');
const { skipIf } = require('../../support/skip');
const { run: advise } = require('../../../lib/commands/advise');

/**
 * @import { Finding } from '../../../lib/base/pure/finding'
 */

// With less of a full machine what mongod's clients wait for may be anything, and no verdict is
// given.
const MIN_PART = 0.25;

describe('bottleneck: queries that look through all they find in the cache', () => {
  const patient = usePatient();

  /** @returns {Promise<string | null>} why mongod cannot be seen to need the CPUs here */
  async function whyStarved() {
    const { findings } = await advise(patient.ctx, { seconds: 4 });
    const { status, evidence } = /** @type {Finding} */ (
      findings.find(({ rule }) => rule === 'cpu-load')
    );
    const own = Number(evidence['process.cpuRatio']);
    return status === 'warning' && own < MIN_PART
      ? `other work takes the CPUs, and leaves mongod ${(own * 100).toFixed(0)}% of them`
      : null;
  }

  it('cpu, and nothing of WiredTiger to change', async function () {
    await patient.load('scan');
    const advice = await patient.named('cpu').catch(async (error) => {
      skipIf(this, await whyStarved());
      throw error;
    });
    assert.equal(advice.change, null);
    assert.equal(advice.conf, null);
    assert.match(advice.explain.join(), /missing indexes/);
    for (const rule of ['page-reads', 'cache-wait', 'cache-fill', 'dirty-ratio', 'app-eviction'])
      assert.ok(!warns(advice, rule), `${advice}`);
  });
});
