'use strict';

const assert = require('node:assert/strict');
const { total } = require('../../../../scripts/testing/total');

describe('total', () => {
  const lint = { passed: 1, failed: 0, skipped: 0 };
  for (const [what, results, failed, line] of [
    ['nothing', [], 0, '0 passed, 0 failed'],
    ['what passed', [lint, { passed: 41, failed: 0, skipped: 0 }], 0, '42 passed, 0 failed'],
    ['what failed', [lint, { passed: 2, failed: 3, skipped: 0 }], 3, '3 passed, 3 failed'],
    [
      'what was skipped, when something was',
      [lint, { passed: 2, failed: 0, skipped: 1 }],
      0,
      '3 passed, 0 failed, 1 skipped',
    ],
  ])
    it(`adds up ${what}`, () => assert.deepEqual(total(results), { failed, line }));
});
