'use strict';

const assert = require('node:assert/strict');
const { knownOf, sinceThen } = require('../../../lib/check/pure/accepted-findings');
const { EXIT_CODES, severe, stateOf } = require('../../../lib/base/pure/finding');

/** @param {any[]} statuses @returns {any[]} */
const findings = (...statuses) => statuses.map((status, i) => ({ key: `k${i}`, status }));

describe('base/pure/finding', () => {
  for (const [
    statuses,
    failOn,
    isWhole,
    expected,
  ] of /** @type {[any[], any, boolean, string][]} */ ([
    [[], 'warning', true, 'ok'],
    [['warning'], 'warning', true, 'warning'],
    [['warning', 'critical'], 'warning', true, 'critical'],
    [['warning'], 'critical', true, 'ok'],
    [['critical'], 'critical', true, 'critical'],
    [['error'], 'warning', true, 'unknown'],
    [['error', 'warning'], 'warning', true, 'warning'],
    [['error', 'warning'], 'critical', true, 'unknown'],
    [[], 'warning', false, 'unknown'],
    [['critical'], 'critical', false, 'critical'],
  ]))
    it(
      `${statuses.join(' and ') || 'nothing'}, failOn: ${failOn}${isWhole ? '' : ', cut short'}: ` +
        `${expected}`,
      () => assert.equal(stateOf(findings(...statuses), { failOn, isWhole }), expected),
    );
  it('the codes are those of Nagios', () =>
    assert.deepEqual(EXIT_CODES, { ok: 0, warning: 1, critical: 2, unknown: 3 }));
  it('trouble and defects need a person, the rest does not', () =>
    assert.deepEqual(
      severe(findings('ok', 'info', 'unknown', 'warning', 'critical', 'error')).map(
        ({ status }) => status,
      ),
      ['warning', 'critical', 'error'],
    ));
});

describe('check/pure/accepted-findings', () => {
  it('a baseline keeps trouble alone', () =>
    assert.deepEqual(knownOf(findings('ok', 'warning', 'critical', 'unknown', 'error')), {
      k1: 'warning',
      k2: 'critical',
    }));
  for (const [then, now, isNew] of /** @type {[any, any, boolean][]} */ ([
    ['warning', 'warning', false],
    ['warning', 'critical', true],
    ['critical', 'warning', false],
    ['critical', 'critical', false],
    ['warning', 'error', true],
    ['critical', 'error', true],
  ])) {
    it(`${then} then, ${now} now: ${isNew ? 'worse' : 'known'}`, () => {
      const since = sinceThen(findings(now), { k0: then });
      assert.deepEqual([since.findings.length, since.inBaseline.length], isNew ? [1, 0] : [0, 1]);
    });
  }
  it('what was not there is new, also under the name of something every object has', () =>
    assert.equal(
      sinceThen(/** @type {any} */ ([{ key: 'constructor', status: 'warning' }]), {}).findings
        .length,
      1,
    ));
  it('tells what is gone', () => assert.deepEqual(sinceThen([], { k0: 'warning' }).gone, ['k0']));
});
