'use strict';

const assert = require('node:assert/strict');
const { fitBlocks } = require('../../../lib/text/fit');

const plain = (/** @type {string} */ text) => text;
/** @param {number} many @param {number} lines of each */
const blocksOf = (many, lines) =>
  Array.from({ length: many }, (_, i) => ({ name: `b${i}`, lines: Array(lines).fill(`b${i}`) }));
/** @param {string[]} lines */
const names = (lines) => [...new Set(lines)].map((line) => line.trim());

describe('blocks of lines on a screen', () => {
  it('are all shown where they fit, to the last line', () => {
    assert.equal(fitBlocks(blocksOf(4, 5), 4, plain).length, 20);
    assert.deepEqual(fitBlocks([], 4, plain), []);
  });
  it('the others are named, with a line for it', () => {
    const lines = fitBlocks(blocksOf(5, 5), 4, plain);
    assert.ok(lines.length + 4 <= 24);
    assert.deepEqual(names(lines), ['b0', 'b1', 'b2', 'and 2 more: b3, b4']);
  });
  it('two are shown on any screen', () =>
    assert.deepEqual(names(fitBlocks(blocksOf(3, 20), 20, plain)), ['b0', 'b1', 'and 1 more: b2']));
});
