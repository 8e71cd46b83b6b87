'use strict';

const assert = require('node:assert/strict');
const {
  parseEngineConfig,
  printEngineConfig,
  lookUp,
  toNumber,
} = require('../../../lib/config/engine-config');
const { scan } = require('../../../lib/config/scanner');

/** Keys and what WiredTiger would compute with. @param {string} text */
const read = (text) => {
  const { entries, problem } = parseEngineConfig(text);
  return problem
    ? problem.say
    : Object.fromEntries(
        entries.map(({ key, value, number }) => [key.text, number ?? value?.text]),
      );
};

describe('config/engine-config: numbers', () => {
  for (const [text, value] of /** @type {[string, number | null][]} */ ([
    ['0', 0],
    ['512', 512],
    ['-1', -1],
    ['1B', 1],
    ['1k', 1024],
    ['512M', 512 * 2 ** 20],
    ['512m', 512 * 2 ** 20],
    ['1G', 2 ** 30],
    ['1GB', 2 ** 30],
    ['10TB', 10 * 2 ** 40],
    ['1P', 2 ** 50],
    ['1KM', 2 ** 30],
    ['08', 8],
    ['9223372036854775807', 2 ** 63],
    ['9223372036854775808', null],
    ['-9223372036854775809', null],
    ['1.5G', null],
    ['abc', null],
    ['', null],
    ['-', null],
    ['-5M', null],
    ['-5b', -5],
    ['1e9', null],
    ['0x10', null],
    ['1GiB', null],
    ['512M;', null],
    ['99999999T', null],
    ['8388608T', null],
    ['8388607T', 8388607 * 2 ** 40],
  ])) {
    it(`${JSON.stringify(text)} is ${value}`, () => assert.equal(toNumber(text), value));
  }
});

describe('config/engine-config: reading', () => {
  for (const [text, result] of /** @type {[string, unknown][]} */ ([
    ['', {}],
    ['  ', {}],
    [',,', {}],
    ['()', {}],
    ['cache_size=512M', { cache_size: 512 * 2 ** 20 }],
    [' cache_size = 1G ', { cache_size: 2 ** 30 }],
    ['cache_size:1G', { cache_size: 2 ** 30 }],
    ['cache_size=:1G', { cache_size: 2 ** 30 }],
    ['a=1,b=2,', { a: 1, b: 2 }],
    ['create,a=1', { create: 1, a: 1 }],
    ['a=true,b=false', { a: 1, b: 0 }],
    ['a="x y"', { a: 'x y' }],
    ['a="say \\"x\\""', { a: 'say \\"x\\"' }],
    ['a="é"', { a: 'é' }],
    ['a=x(y', { a: 'x(y' }],
    ['{"a":"1G"}', { a: '1G' }],
    ['(a=1,b=2)', { a: 1, b: 2 }],
    ['(a=1),b=2', { a: 1 }],
    ['a=(b=1]', { a: '(b=1]' }],
    ['a="open', { a: '' }],
    ['a==1', 'the value is already complete'],
    ['a=1=2', 'the value is already complete'],
    ['a=1:2', 'a new value starts without a separator'],
    ['a=1 b=2', 'a new value starts without a separator'],
    ['a=(b=1)(c=2)', 'a new value starts without a separator'],
    ['a=(b=1', 'unbalanced brackets'],
    ['a=1)', 'unbalanced brackets'],
    [')', 'unbalanced brackets'],
    ['(', 'unbalanced brackets'],
    ['a=(b=1))', 'unbalanced brackets'],
    ['a=+1', 'unexpected character "+"'],
    ['a=1é', 'unexpected character "é"'],
    ['a="\u0007"', 'unexpected character "\\u0007"'],
    ['a="\\q"', 'unknown escape'],
    ['a=1 "b"', 'a new value starts without a separator'],
  ])) {
    it(`${JSON.stringify(text)} → ${JSON.stringify(result)}`, () =>
      assert.deepEqual(read(text), result));
  }

  it('keeps what could be read before the problem, and says where that is', () => {
    const { entries, problem } = parseEngineConfig('a=1,b==2');
    assert.equal(entries.length, 1);
    assert.deepEqual(problem, { say: 'the value is already complete', position: 6 });
  });

  it('positions inside brackets count from the start of the whole string', () => {
    const text = 'x=1,eviction=(threads_min=4, threads_max = 8)';
    const found = lookUp(parseEngineConfig(text).entries, 'eviction.threads_max');
    assert.equal(text.slice(found?.key.position).startsWith('threads_max'), true);
    assert.equal(text.slice(found?.value?.position), '8)');
  });

  it('entries of a bracket that cannot be read are none', () =>
    assert.equal(parseEngineConfig('a=(b==1)').entries[0].entries, null));

  it('tells what is ignored behind an outer bracket, and a quote that stays open', () => {
    assert.equal(scan('(a=1),b=2').ignoredFrom, 6);
    assert.equal(scan('(a=1)').ignoredFrom, null);
    assert.equal(scan('a=(b=1),c=(d=2)').ignoredFrom, null);
    assert.equal(scan('a=1,b="x').openQuote, 6);
    assert.equal(scan('a="x"').openQuote, null);
  });
});

describe('config/engine-config: the value in effect', () => {
  const value = (/** @type {string} */ text, /** @type {string} */ key) =>
    lookUp(parseEngineConfig(text).entries, key)?.number;
  it('the last one wins', () => assert.equal(value('a=1,a=2', 'a'), 2));
  it('categories given twice add up', () => {
    assert.equal(
      value(
        'eviction=(threads_min=4,threads_max=4),eviction=(threads_max=6)',
        'eviction.threads_min',
      ),
      4,
    );
    assert.equal(
      value(
        'eviction=(threads_min=4,threads_max=4),eviction=(threads_max=6)',
        'eviction.threads_max',
      ),
      6,
    );
  });
  it('what is not there is undefined', () => {
    assert.equal(value('a=1', 'b'), undefined);
    assert.equal(value('a=1', 'a.b'), undefined);
  });
});

describe('config/engine-config: printing', () => {
  it('puts the keys of a category together where the first of them stands', () => {
    assert.equal(
      printEngineConfig([
        ['eviction.threads_min', 4],
        ['cache_size', '512M'],
        ['eviction.threads_max', 8],
        ['log.remove', true],
      ]),
      'eviction=(threads_min=4,threads_max=8),cache_size=512M,log=(remove=true)',
    );
  });
  it('prints deeper categories', () =>
    assert.equal(
      printEngineConfig([
        ['a.b.c', 1],
        ['a.b.d', 2],
      ]),
      'a=(b=(c=1,d=2))',
    ));
  it('prints nothing for nothing', () => assert.equal(printEngineConfig([]), ''));
  it('what is printed reads back the same', () => {
    const pairs = /** @type {[string, string][]} */ ([
      ['cache_size', '2048M'],
      ['eviction.threads_max', '8'],
      ['eviction_dirty_target', '5'],
    ]);
    const { entries } = parseEngineConfig(printEngineConfig(pairs));
    for (const [key, text] of pairs) assert.equal(lookUp(entries, key)?.value?.text, text);
  });
});
