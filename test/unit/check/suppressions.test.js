'use strict';

const assert = require('node:assert/strict');
const vm = require('node:vm');
const { readSuppressions, suppress } = require('../../../lib/check/pure/accepted-findings');

const RULES = [
  { id: 'tickets', aliases: [] },
  { id: 'device-latency', aliases: ['disk-latency'] },
  { id: 'cpu-load', aliases: ['cpu-full'] },
];
const NOW = Date.parse('2026-11-22T12:00:00Z');
/** @param {any} [more] */
const entry = (more) => ({ key: 'tickets', reason: 'import', until: '2026-11-30', ...more });
/** @param {unknown} given @returns {any} */
const read = (given) => readSuppressions(given, RULES);
/** @param {string} key @param {any} [status] @returns {any} */
const finding = (key, status = 'warning') => ({ key, rule: key.split(':')[0], status, say: 'So.' });

describe('check/pure/accepted-findings', () => {
  it('a day counts to its end in UTC, a moment to itself', () => {
    const until = (/** @type {unknown} */ value) =>
      new Date(read([entry({ until: value })]).suppressions[0].untilMs).toISOString();
    assert.equal(until('2026-11-30'), '2026-12-01T00:00:00.000Z');
    assert.equal(until('2026-11-30T06:00:00+02:00'), '2026-11-30T04:00:00.000Z');
    assert.equal(until(new Date('2026-11-30T06:00:00Z')), '2026-11-30T06:00:00.000Z');
    assert.equal(until(vm.runInNewContext('new Date(0)')), '1970-01-01T00:00:00.000Z');
  });
  for (const [title, given, expected] of /** @type {[string, unknown, RegExp][]} */ ([
    ['a table', {}, /must be a list/],
    ['a text as entry', ['tickets'], /^entry 1: it must have key, reason and until/],
    ['null as entry', [null], /must have key/],
    ['a list as entry', [[]], /must have key/],
    ['another field', [entry({ till: 1 })], /there is no "till"; it has key, reason and until/],
    ['no key', [entry({ key: undefined })], /key: which finding is missing/],
    [
      'no reason',
      [entry(), entry({ reason: ' ' })],
      /^entry 2: reason: why it may be silent is missing/,
    ],
    [
      'a rule that is not there',
      [entry({ key: 'ticket:x' })],
      /no rule "ticket"; did you mean "tickets"\?/,
    ],
    ['a rule like none', [entry({ key: 'abc' })], /no rule "abc"$/],
    ['no end', [entry({ until: undefined })], /until must be a day/],
    ['30 February', [entry({ until: '2026-02-30' })], /until must be a day/],
    ['30 February with a time', [entry({ until: '2026-02-30T00:00Z' })], /until must be a day/],
    ['a time of no zone', [entry({ until: '2026-11-30T06:00:00' })], /until must be a day/],
    ['a date that is none', [entry({ until: new Date(NaN) })], /until must be a day/],
    ['forever', [entry({ until: 'forever' })], /until must be a day/],
    ['the same key twice', [entry(), entry({ reason: 'other' })], /^tickets is there twice/],
  ]))
    it(`refuses ${title}`, () => assert.match(read(given).wrong, expected));

  it('suppressions by key, and by rule for all its subjects; the nearer one gives the reason', () => {
    const { suppressions } = read([
      entry({ key: 'device-latency', reason: 'slow disks' }),
      entry({ key: 'device-latency:sda', reason: 'to be replaced' }),
    ]);
    const { findings, suppressed, unused } = suppress(
      [finding('device-latency:sda'), finding('device-latency:sdb'), finding('tickets')],
      suppressions,
      NOW,
    );
    assert.deepEqual(
      findings.map(({ key }) => key),
      ['tickets'],
    );
    assert.deepEqual(
      suppressed.map(({ key, reason, until }) => [key, reason, until]),
      [
        ['device-latency:sda', 'to be replaced', '2026-11-30'],
        ['device-latency:sdb', 'slow disks', '2026-11-30'],
      ],
    );
    assert.deepEqual(unused, []);
  });
  it('the former id of a rule stands for the rule it became, with and without a subject', () =>
    assert.deepEqual(
      read([entry({ key: 'disk-latency:sda' }), entry({ key: 'cpu-full' })]).suppressions.map(
        (/** @type {{ key: string }} */ { key }) => key,
      ),
      ['device-latency:sda', 'cpu-load'],
    ));
  it('tells which suppressed nothing', () =>
    assert.deepEqual(suppress([finding('cpu-load')], read([entry()]).suppressions, NOW).unused, [
      'tickets',
    ]));
  it('one that is over suppressions nothing and is a finding, also where what it suppressed is gone', () => {
    const { suppressions } = read([entry({ until: '2026-11-21' })]);
    for (const there of [[], [finding('tickets')]]) {
      const { findings, suppressed, unused } = suppress(there, suppressions, NOW);
      assert.deepEqual(
        findings.map(({ key, status }) => [key, status]),
        [...there.map(({ key, status }) => [key, status]), ['suppression:tickets', 'warning']],
      );
      assert.match(
        /** @type {any} */ (findings.at(-1)).message,
        /^The suppression of tickets \("import"\) ended on 2026-11-21\.$/,
      );
      assert.deepEqual([suppressed, unused], [[], []]);
    }
  });
  it('ends exactly at its end', () => {
    const { suppressions } = read([entry({ until: '2026-11-22T12:00:00Z' })]);
    assert.equal(suppress([finding('tickets')], suppressions, NOW - 1).suppressed.length, 1);
    assert.equal(suppress([finding('tickets')], suppressions, NOW).suppressed.length, 0);
  });
});
