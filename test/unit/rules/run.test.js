'use strict';

const assert = require('node:assert/strict');
const { defineRule } = require('../../../lib/rules/rule');
const { judge } = require('../../../lib/rules/runner');

const TEXTS = {
  id: 'sample',
  area: 'cache',
  title: 'A title',
  why: 'why',
  threshold: 'from 1 on',
  source: 'here',
  advice: 'do',
  whenNot: 'never',
};
/** @param {any} [more] */
const rule = (more = {}) =>
  defineRule({
    ...TEXTS,
    needs: ['cache.maxBytes'],
    wants: ['cache.usedBytes'],
    check: () => ({ status: 'warning', say: 'So.' }),
    ...more,
  });

describe('rules/rule', () => {
  it('freezes what it is given', () =>
    assert.throws(() => {
      /** @type {any} */ (rule()).id = 'other';
    }, TypeError));
  it('refuses a rule that lacks a text, by name', () =>
    assert.throws(() => rule({ why: ' ', advice: undefined }), /sample: no why, no advice/));
  it('refuses a rule that needs nothing', () =>
    assert.throws(() => rule({ needs: [] }), /needs nothing/));
  it('wants nothing and speaks for nothing unless it says so', () => {
    const made = defineRule({
      ...TEXTS,
      needs: ['cache.maxBytes'],
      check: () => ({ status: 'ok', say: 'Fine.' }),
    });
    assert.deepEqual([made.wants, made.speaksFor], [[], []]);
  });
});

describe('rules/runner', () => {
  it('hands over what was declared and nothing else, only to read', () => {
    /** @type {any} */ let seen;
    judge(
      [
        rule({
          check: (/** @type {any} */ metrics) => {
            seen = metrics;
            return { status: 'ok', say: 'Fine.' };
          },
        }),
      ],
      { 'cache.maxBytes': 1, 'ops.perSec': 5 },
    );
    assert.deepEqual(seen, { 'cache.maxBytes': 1 });
    assert.throws(() => {
      seen['cache.maxBytes'] = 2;
    }, TypeError);
  });
  it('makes a finding with all its fields', () => {
    assert.deepEqual(judge([rule()], { 'cache.maxBytes': 1 }), [
      {
        rule: 'sample',
        area: 'cache',
        status: 'warning',
        say: 'So.',
        evidence: {},
        advice: 'do',
        change: null,
        source: 'here',
        key: 'sample',
      },
    ]);
  });
  it('a subject joins the key', () =>
    assert.equal(
      judge([rule({ check: () => ({ status: 'info', say: 'So.', subject: 'db.c' }) })], {
        'cache.maxBytes': 1,
      })[0].key,
      'sample:db.c',
    ));
  it('a reading that is 0 is known', () =>
    assert.equal(judge([rule()], { 'cache.maxBytes': 0 })[0].status, 'warning'));
  it('a missing need makes it unknown, and says which', () => {
    const [finding] = judge([rule({ needs: ['cache.maxBytes', 'ops.perSec'] })], {
      'cache.maxBytes': 1,
    });
    assert.deepEqual(
      [finding.status, finding.say, finding.advice],
      ['unknown', 'Not known: ops.perSec.', null],
    );
  });
  it('a rule that throws fails for itself alone', () => {
    const broken = rule({
      id: 'broken',
      check: () => {
        throw new Error('no luck');
      },
    });
    const [first, second] = judge([broken, rule()], { 'cache.maxBytes': 1 });
    assert.deepEqual([first.status, first.say], ['error', 'The rule failed: no luck']);
    assert.match(String(first.advice), /report/);
    assert.equal(second.status, 'warning');
  });
  it('general advice is for trouble; an information has only its own', () => {
    const advice = (/** @type {any} */ judgement) =>
      judge([rule({ check: () => ({ say: 'So.', ...judgement }) })], { 'cache.maxBytes': 1 })[0]
        .advice;
    assert.equal(advice({ status: 'critical' }), 'do');
    assert.equal(advice({ status: 'info' }), null);
    assert.equal(advice({ status: 'info', advice: 'look' }), 'look');
    assert.equal(advice({ status: 'ok' }), null);
  });
});
