'use strict';

const assert = require('node:assert/strict');
const { Timestamp } = require('mongodb');
const { isTokenPast } = require('../../../lib/split/pure/token-time');

const at = (/** @type {number} */ t, i = 0) => new Timestamp({ t, i });
// As MongoDB 6.0.5 sent it: 0x6B0952AA seconds, 0xE0.
const TOKEN = Object.freeze({ _data: '826B0952AA000000E02B0229296E04' });
const SECONDS = 0x6b0952aa;

describe('split/pure/token-time', () => {
  for (const [time, is] of /** @type {[Timestamp, boolean][]} */ ([
    [at(SECONDS, 0xe0), true],
    [at(SECONDS, 0xe1), false],
    [at(SECONDS - 1, 0xffffffff), true],
    [at(SECONDS + 1), false],
    [at(0xffffffff), false],
  ]))
    it(`it is ${is ? '' : 'not '}past ${time.getHighBits()}, ${time.getLowBits()}`, () =>
      assert.equal(isTokenPast(TOKEN, time), is));

  it('another form is not known', () => {
    for (const token of [null, undefined, {}, { _data: 'x' }, { _data: '822B' }, { n: 4 }])
      assert.equal(isTokenPast(token, at(1)), null);
  });
});
