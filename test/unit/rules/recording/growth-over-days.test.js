'use strict';

const assert = require('node:assert/strict');
const rule = require('../../../../lib/rules/recording/growth-over-days');
const { judgeRecording } = require('../../../../lib/rules/runner');
const { testMessages } = require('../../../support/rule-messages');
const { assertValues } = require('../../../support/rule-tester');

/**
 * @import { Status } from '../../../../lib/base/pure/finding'
 * @import { Trend } from '../../../../lib/series/trends'
 */

const DAY_MS = 86_400_000;
const GiB = 2 ** 30;
const T0 = Date.UTC(2026, 0, 1);

/** @param {Partial<Trend>} more @returns {Trend} */
const trend = (more) => ({
  name: 'memory',
  from: GiB,
  to: 2 * GiB,
  perDay: GiB / 4,
  days: 4,
  fromMs: T0,
  toMs: T0 + 4 * DAY_MS,
  limit: null,
  limitMs: null,
  ...more,
});
/** @param {number} days after the end */
const within = (days) => T0 + (4 + days) * DAY_MS;

/** @type {[string, Trend[], Status, string, Record<string, unknown>?][]} */
const CASES = [
  ['nothing', [], 'ok', 'fine'],
  ['without a limit', [trend({})], 'info', 'grows', { perDay: GiB / 4 }],
  [
    'a limit that is far',
    [trend({ limit: 6 * GiB, limitMs: within(16) })],
    'info',
    'meets-limit',
    { name: 'memory' },
  ],
  [
    'a limit that is near',
    [trend({ limit: 5 * GiB, limitMs: within(12) })],
    'warning',
    'meets-limit',
  ],
  ['a limit that is met', [trend({ limit: GiB, limitMs: within(0) })], 'warning', 'meets-limit'],
  [
    'a cache that fills is no trouble',
    [trend({ name: 'cache', from: 0.3, to: 0.7, perDay: 0.1, limit: 0.8, limitMs: within(1) })],
    'info',
    'meets-limit',
  ],
  [
    'a disk that fills',
    [
      trend({
        name: 'space',
        from: 90 * GiB,
        to: 50 * GiB,
        perDay: -10 * GiB,
        limit: 0,
        limitMs: within(5),
      }),
    ],
    'warning',
    'meets-limit',
  ],
  [
    'connections',
    [
      trend({
        name: 'connections',
        from: 200,
        to: 900,
        perDay: 175,
        limit: 1000,
        limitMs: within(0.6),
      }),
    ],
    'warning',
    'meets-limit',
  ],
  ['history', [trend({ name: 'history' })], 'info', 'grows'],
  [
    'checkpoints',
    [
      trend({
        name: 'checkpoints',
        from: 10_000,
        to: 50_000,
        perDay: 10_000,
        limit: 60_000,
        limitMs: within(1),
      }),
    ],
    'warning',
    'meets-limit',
  ],
  ['handles', [trend({ name: 'handles', from: 5000, to: 9000, perDay: 1000 })], 'info', 'grows'],
  ['reads', [trend({ name: 'readLatency', from: 2, to: 8, perDay: 1.5 })], 'info', 'grows'],
  ['writes', [trend({ name: 'writeLatency', from: 2, to: 8, perDay: 1.5 })], 'info', 'grows'],
];

describe('rules/growth-over-days', () => {
  testMessages(__filename, null, CASES, (trends) => judgeRecording([rule], trends));
  for (const [title, trends, status, code, values = {}] of CASES)
    it(title, () => {
      const [finding] = judgeRecording([rule], trends);
      assert.deepEqual([finding.status, finding.code], [status, code], finding.message);
      assertValues(finding.values, values);
      assert.equal(finding.key, trends.length === 0 ? rule.id : `${rule.id}:${trends[0].name}`);
      assert.equal(finding.advice === null, status === 'ok');
    });
});
