'use strict';

const assert = require('node:assert/strict');
const { hasAllSince, reachesBack } = require('../../../lib/change/pure/log-reach');

const T = 1e12;
const HOUR_MS = 3_600_000;
const moment = { lastConfig: 'a=1', knownAtMs: T };
/** @param {number} atMs @param {string} [config] */
const line = (atMs, config = 'b=2') => ({ atMs, config, ok: true, reason: null });
/** @param {object} more */
const log = (more) => ({ sets: [], logFromMs: T - 1, logWhole: false, ...more });

describe('change/pure/log-reach: whether a log has all since the last string was known', () => {
  it('by its first line, by that string, or because it is whole', () => {
    assert.deepEqual(
      [
        reachesBack(null, moment),
        reachesBack(log({}), moment),
        reachesBack(log({ logFromMs: T }), moment),
        reachesBack(log({ logFromMs: null }), moment),
        reachesBack(log({ logFromMs: T, sets: [line(T - 5, 'a=1')] }), moment),
        reachesBack(log({ logFromMs: T, logWhole: true }), moment),
      ],
      [false, true, false, false, true, true],
    );
  });
  it('where others have set something, no time counts once the clock was set back', () => {
    assert.deepEqual(
      [
        hasAllSince(null, moment),
        hasAllSince(log({ sets: [line(T + 5)] }), moment),
        hasAllSince(log({ sets: [line(T - 9000)] }), moment),
        hasAllSince(log({ logFromMs: T - HOUR_MS, sets: [line(T - HOUR_MS)] }), moment),
        hasAllSince(log({ logFromMs: T - HOUR_MS }), moment),
        hasAllSince(log({ sets: [line(T, 'a=1'), line(T - HOUR_MS)] }), moment),
        hasAllSince(log({ sets: [line(T - HOUR_MS)], logWhole: true }), moment),
      ],
      [false, true, true, false, false, true, true],
    );
  });
});
