'use strict';

const assert = require('node:assert/strict');
const { mergeHost } = require('../../../lib/host/pure/host');
const { defineRule, defineHostRule } = require('../../../lib/rules/rule');
const { judge, judgeHost } = require('../../../lib/rules/runner');

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
const found = (status, more = {}) => ({ status, code: 'sample', values: {}, ...more });
/** @param {any} [more] */
const rule = (more = {}) =>
  defineRule({
    ...TEXTS,
    needs: ['cache.maxBytes'],
    wants: ['cache.usedBytes'],
    check: () => found('warning'),
    messages: { sample: ({ figure = 1 }) => `So: ${figure}.` },
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
      check: () => found('ok'),
      messages: { sample: () => 'Fine.' },
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
            return found('ok');
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
    const check = () => found('warning', { values: { figure: 2 } });
    assert.deepEqual(judge([rule({ check })], { 'cache.maxBytes': 1 }), [
      {
        rule: 'sample',
        area: 'cache',
        status: 'warning',
        code: 'sample',
        values: { figure: 2 },
        message: 'So: 2.',
        evidence: {},
        advice: 'do',
        change: null,
        source: 'here',
        key: 'sample',
        fixes: [],
      },
    ]);
  });
  it('a subject joins the key', () =>
    assert.equal(
      judge([rule({ check: () => found('info', { subject: 'db.c' }) })], { 'cache.maxBytes': 1 })[0]
        .key,
      'sample:db.c',
    ));
  it('a reading that is 0 is known', () =>
    assert.equal(judge([rule()], { 'cache.maxBytes': 0 })[0].status, 'warning'));
  it('a missing need makes it unknown, and says which', () => {
    const [finding] = judge([rule({ needs: ['cache.maxBytes', 'ops.perSec'] })], {
      'cache.maxBytes': 1,
    });
    assert.deepEqual(
      [finding.status, finding.code, finding.values.missing, finding.advice],
      ['unknown', 'not-known', ['ops.perSec'], null],
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
    assert.deepEqual(
      [first.status, first.code, first.values],
      ['error', 'rule-failed', { error: 'no luck' }],
    );
    assert.match(String(first.advice), /report/);
    assert.equal(second.status, 'warning');
  });
  it('general advice is for trouble; an information has only its own', () => {
    const advice = (status, adviceFor = {}) =>
      judge([rule({ check: () => found(status), adviceFor })], { 'cache.maxBytes': 1 })[0].advice;
    assert.equal(advice('critical'), 'do');
    assert.equal(advice('critical', { sample: () => 'look' }), 'look');
    assert.equal(advice('info'), null);
    assert.equal(advice('info', { sample: () => 'look' }), 'look');
    assert.equal(advice('ok'), null);
  });
});

describe('rules/runner, of the host', () => {
  const hostRule = (check, more = {}) =>
    defineHostRule({
      ...TEXTS,
      needs: ['cpu.logical'],
      wants: ['cpu.cores'],
      check,
      messages: { sample: () => 'So.' },
      ...more,
    });
  const never = () => {
    throw new Error('never');
  };

  it('hands over what was declared, and keeps the fixes', () => {
    const fix = {
      set: { kind: 'sysctl', target: 'a', to: '1' },
      back: { kind: 'sysctl', target: 'a', to: '0' },
    };
    const [finding] = judgeHost(
      [hostRule((values) => found('warning', { values: { ...values }, fixes: [fix] }))],
      { values: { 'cpu.logical': 2, 'cpu.model': 'x' }, unknown: {} },
    );
    assert.deepEqual(finding.values, { 'cpu.logical': 2 });
    assert.deepEqual(finding.fixes, [fix]);
  });
  it('says why a value is not known, where that is known', () => {
    const message = (unknown) => judgeHost([hostRule(never)], { values: {}, unknown })[0].message;
    assert.equal(
      message({ 'cpu.logical': '/proc/cpuinfo is not there' }),
      'Not known: number of CPUs (/proc/cpuinfo is not there).',
    );
    assert.equal(message({}), 'Not known: number of CPUs.');
  });
  it('a rule that is not about this machine says so, whatever is unknown', () => {
    const aside = hostRule(never, {
      aside: (values) => (values['files.type'] === 'ext4' ? found('ok') : null),
    });
    const [finding] = judgeHost([aside], { values: { 'files.type': 'ext4' }, unknown: {} });
    assert.deepEqual([finding.status, finding.code, finding.fixes], ['ok', 'sample', []]);
    assert.equal(
      judgeHost([aside], { values: { 'files.type': 'zfs' }, unknown: {} })[0].status,
      'unknown',
    );
  });
  it('a rule that fails takes only itself away', () => {
    const [finding] = judgeHost([hostRule(never)], { values: { 'cpu.logical': 2 }, unknown: {} });
    assert.deepEqual([finding.status, finding.fixes], ['error', []]);
  });
});

describe('host/pure/host', () => {
  it('the first part that knows a value wins, and a known value has no reason to be unknown', () => {
    const merged = mergeHost(
      { values: { 'cpu.logical': 2 }, unknown: { 'cpu.cores': 'first' } },
      {
        values: { 'cpu.logical': 3, 'cpu.model': 'x' },
        unknown: { 'cpu.cores': 'second', 'cpu.logical': 'why' },
      },
    );
    assert.deepEqual(merged, {
      values: { 'cpu.logical': 2, 'cpu.model': 'x' },
      unknown: { 'cpu.cores': 'first' },
    });
  });
});
