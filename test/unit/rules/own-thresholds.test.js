'use strict';

const assert = require('node:assert/strict');
const { judge } = require('../../../lib/rules/runner');
const { whatIsWrong, withThresholds } = require('../../../lib/rules/own-thresholds');
const { loadRules } = require('../../../lib/rules/registry');

const RULES = loadRules();
/** @param {unknown} own */
const say = (own) => whatIsWrong(RULES, own)?.say ?? null;

describe('rules/own-thresholds', () => {
  it('takes what rules declare, in bounds', () => {
    assert.equal(say({}), null);
    assert.equal(
      say({ 'checkpoint-duration': { longMs: 30_000 }, tickets: { minQueued: 5, emptyShare: 1 } }),
      null,
    );
  });
  for (const [title, own, expected] of /** @type {[string, unknown, RegExp][]} */ ([
    ['a list', [], /must be a table of rules/],
    ['nothing', null, /must be a table of rules/],
    [
      'a rule that is not there',
      { 'checkpoint-durations': { longMs: 1 } },
      /no rule "checkpoint-durations"; did you mean "checkpoint-duration"\?/,
    ],
    ['a rule that is like none', { xyz: {} }, /^there is no rule "xyz"$/],
    [
      'a rule without thresholds',
      { 'cache-overfull': { x: 1 } },
      /cache-overfull has no threshold to change; these have: .*app-eviction/,
    ],
    ['a rule with a number', { tickets: 5 }, /tickets must be a table of minQueued, emptyShare/],
    [
      'a threshold that is not there',
      { tickets: { queued: 5 } },
      /tickets has no threshold "queued"; it has minQueued, emptyShare/,
    ],
    [
      'a share above 1',
      { tickets: { emptyShare: 50 } },
      /tickets\.emptyShare must be a number above 0, at most 1/,
    ],
    ['0', { tickets: { minQueued: 0 } }, /tickets\.minQueued must be a number above 0/],
    ['a text', { tickets: { minQueued: '5' } }, /must be a number above 0/],
    ['what is no number', { tickets: { minQueued: NaN } }, /must be a number above 0/],
    ['what is endless', { tickets: { minQueued: Infinity } }, /must be a number above 0/],
    [
      'mild above grave',
      { 'checkpoint-duration': { longMs: 400_000 } },
      /checkpoint-duration\.longMs \(400000\) must not be above veryLongMs \(300000\)/,
    ],
  ]))
    it(`refuses ${title}`, () => assert.match(String(say(own)), expected));

  it('mild above grave is fine in two units', () =>
    assert.equal(say({ 'dirty-volume': { largeBytes: 2 ** 40, longMs: 1 } }), null));

  it('a rule takes thresholds by its former id as well', () => {
    const own = { 'cpu-full': { fullRatio: 0.5 } };
    assert.equal(say(own), null);
    assert.match(String(say({ 'cpu-full': { ratio: 0.5 } })), /has no threshold "ratio"/);
    const [rule] = withThresholds(
      RULES.filter(({ id }) => id === 'cpu-load'),
      own,
    );
    assert.equal(judge([rule], { 'cpu.busyRatio': 0.5 })[0].status, 'warning');
  });
  it('a rule with other limits judges by them, and the rest and the original stay', () => {
    const own = withThresholds(RULES, { 'checkpoint-duration': { longMs: 1000 } });
    const status = (/** @type {typeof RULES} */ rules) =>
      judge(
        rules.filter(({ id }) => id === 'checkpoint-duration'),
        { 'checkpoint.windowMaxMs': 5000 },
      )[0].status;
    assert.deepEqual([status(own), status(RULES)], ['warning', 'ok']);
    assert.equal(own.filter((rule, i) => rule !== RULES[i]).length, 1);
    assert.equal(
      own.find(({ id }) => id === 'checkpoint-duration')?.thresholds.veryLongMs,
      300_000,
    );
  });
  it('every limit of every rule stands in the order of its own defaults', () =>
    assert.equal(
      say(
        Object.fromEntries(
          RULES.filter(({ thresholds }) => Object.keys(thresholds).length > 0).map(
            ({ id, thresholds }) => [id, thresholds],
          ),
        ),
      ),
      null,
    ));
});
