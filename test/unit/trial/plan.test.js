'use strict';

const assert = require('node:assert/strict');
const { refuseDrift } = require('../../../lib/trial/plan');

/**
 * @import { Drift } from '../../../lib/config/effective-config'
 */

/** @param {Drift['setting']} setting @param {number} recorded @param {number} value @returns {Drift} */
const drifted = (setting, recorded, value) => ({ setting, recorded, value, say: `${setting}.` });

describe('trial/plan: what the first call would change besides', () => {
  for (const [drift, change, message] of /** @type {[Drift[], object, RegExp | null][]} */ ([
    [[], { evictionTarget: 75 }, null],
    [[drifted('evictionDirtyTrigger', 20, 30)], { evictionDirtyTrigger: 15 }, null],
    [
      [drifted('cacheSizeGB', 0.5, 0.3)],
      { evictionTarget: 75 },
      /would set it to 0\.5, .* First run tune\.apply\(\{ cacheSizeGB: 0\.5 \}\) or tune\.apply\(\{ cacheSizeGB: 0\.3 \}\)\. Check/,
    ],
    [
      [drifted('evictionTarget', 80, 71), drifted('evictionDirtyTrigger', 20, 30)],
      { evictionTarget: 75 },
      /evictionDirtyTrigger\. .* tune\.apply\(\{ evictionDirtyTrigger: 20 \}\) or .*: 30 \}\)\. Check/,
    ],
    [
      [drifted('evictionDirtyTrigger', 20, 12.21)],
      { evictionTarget: 75 },
      /First run tune\.apply\(\{ evictionDirtyTrigger: 20 \}\)\. Check/,
    ],
    [
      [drifted('evictionUpdatesTarget', 2.5, 3.75)],
      { evictionTarget: 75 },
      /First run tune\.apply\(\) of evictionUpdatesTarget\. Check/,
    ],
  ]))
    it(`${drift.map(({ setting }) => setting)} beside ${JSON.stringify(change)}`, () => {
      const refuse = () => refuseDrift({ drift }, change);
      if (message === null) assert.doesNotThrow(refuse);
      else assert.throws(refuse, { code: 'TUNE-30006', message });
    });
});
