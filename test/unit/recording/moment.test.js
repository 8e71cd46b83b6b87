'use strict';

const assert = require('node:assert/strict');
const { momentMs, isPossible } = require('../../../lib/recording/pure/moment');

const T = Date.UTC(2026, 0, 1, 12);

describe('recording/pure/moment', () => {
  for (const value of [
    new Date(T),
    '2026-01-01T12:00:00Z',
    '2026-01-01T12:00:00.000+00:00',
    '2026-01-01 13:00:00+01:00',
    '2026-01-01T12:00:00',
    '2026-01-01 12:00',
    'Thu Jan 01 2026 12:00:00',
    'Thu Jan 01 2026 14:00:00 GMT+0200',
    'Thu, 01 Jan 2026 12:00:00 GMT',
    '1 January 2026 12:00',
    T,
    T / 1000,
    String(T),
    String(T / 1000),
    { $date: '2026-01-01T12:00:00Z' },
    { $date: T },
    { $date: { $numberLong: String(T) } },
    { $numberLong: String(T) },
  ])
    it(`takes ${JSON.stringify(value)}`, () => assert.equal(momentMs(value), T));
  it('takes a day for its beginning in UTC', () =>
    assert.equal(momentMs('2026-01-01'), Date.UTC(2026, 0, 1)));
  it('leaves an early Date what it is', () => assert.equal(momentMs(new Date(5)), 5));
  for (const value of ['yesterday', '', '25:99', null, undefined, {}, { $date: 'never' }, NaN])
    it(`does not know ${JSON.stringify(value)}`, () => assert.equal(momentMs(value), undefined));
  it('knows which moments there may be', () =>
    assert.deepEqual([-1, 0, T, Date.UTC(9999, 11, 31), 9e15, NaN, Infinity].map(isPossible), [
      false,
      true,
      true,
      true,
      false,
      false,
      false,
    ]));
});
