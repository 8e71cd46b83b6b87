'use strict';

const assert = require('node:assert/strict');
const { fnvModulo, fnvText } = require('../../../../../lib/bench/load/workloads/operations');

/** The definition, in 64 bits. @param {number} number */
function published(number) {
  let hash = 0xcbf29ce484222325n;
  for (let [i, rest] = [0, BigInt(number)]; i < 8; i++, rest >>= 8n)
    hash = BigInt.asUintN(64, (hash ^ (rest & 0xffn)) * 1099511628211n);
  const signed = BigInt.asIntN(64, hash);
  return signed < 0n ? -signed : signed;
}

describe('the hash of keys', () => {
  const numbers = [
    ...Array(3000).keys(),
    255,
    256,
    65_535,
    65_536,
    2 ** 32 - 1,
    2 ** 32,
    9_999_999_999,
    2 ** 52 + 12_345,
  ];
  it('is FNV-1a of 64 bits without its sign', () => {
    for (const number of numbers)
      assert.equal(fnvText(number), String(published(number)), String(number));
  });
  it('names the records as YCSB does', () =>
    assert.equal(`user${fnvText(0)}`, 'user6284781860667377211'));
  for (const items of [1, 2, 1000, 99_991, 2 ** 31 + 11, 2 ** 36]) {
    it(`modulo ${items} is exact`, () => {
      for (const number of numbers)
        assert.equal(
          fnvModulo(number, items),
          Number(published(number) % BigInt(items)),
          String(number),
        );
    });
  }
});
