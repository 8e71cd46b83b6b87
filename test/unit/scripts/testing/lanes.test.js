'use strict';

const assert = require('node:assert/strict');
const { total } = require('../../../../scripts/testing/lanes');

describe('the last line of a run', () => {
  for (const [results, failed, line] of [
    [[], 0, '0 passed, 0 failed'],
    [
      [
        [1, 0, 0],
        [41, 0, 0],
      ],
      0,
      '42 passed, 0 failed',
    ],
    [
      [
        [1, 0, 0],
        [2, 3, 0],
      ],
      3,
      '3 passed, 3 failed',
    ],
    [
      [
        [1, 0, 0],
        [2, 0, 1],
      ],
      0,
      '3 passed, 0 failed, 1 skipped',
    ],
  ])
    it(line, () =>
      assert.deepEqual(
        total(results.map(([passed, broken, skipped]) => ({ passed, failed: broken, skipped }))),
        { failed, line },
      ),
    );
});
