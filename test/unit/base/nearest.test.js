'use strict';

const assert = require('node:assert/strict');
const { nearest } = require('../../../lib/base/pure/nearest');

const NAMES = ['cache_size', 'cache_overhead', 'eviction_target', 'eviction.threads_min'];

describe('base/pure/nearest', () => {
  for (const [word, name] of /** @type {[string, string | null][]} */ ([
    ['cache_size', 'cache_size'],
    ['cachesize', 'cache_size'],
    ['CACHE_SIZE', 'cache_size'],
    ['cache_sizes', 'cache_size'],
    ['eviction_targt', 'eviction_target'],
    ['eviction.threds_min', 'eviction.threads_min'],
    ['xcache_sizexx', 'cache_size'],
    ['xcache_sizexxx', null],
    ['foo', null],
    ['', null],
    ['ab', null],
  ])) {
    it(`${word || '(nothing)'} → ${name}`, () => assert.equal(nearest(word, NAMES), name));
  }
  const COMMANDS = ['status', 'watch', 'advise', 'history', 'conf', 'config'];
  for (const [word, name] of /** @type {[string, string | null][]} */ ([
    ['stats', 'status'],
    ['sta', 'status'],
    ['advice', 'advise'],
    ['HISTORY', 'history'],
    ['hsitory', 'history'],
    ['confg', 'conf'],
    ['=', null],
    ['x', null],
    ['benchmark', null],
  ])) {
    it(`${word} → ${name}`, () => assert.equal(nearest(word, COMMANDS), name));
  }
  it('among nothing there is nothing', () => assert.equal(nearest('cache_size', []), null));
});
