'use strict';

const assert = require('node:assert/strict');
const { fitSections } = require('../../../lib/text/fit');

/** Rows of so many lines each. @param {number[]} lines */
const rows = (...lines) => lines.map((n) => Array.from({ length: n }, () => 'line'));

describe('fitSections', () => {
  for (const [
    title,
    sections,
    left,
    shown,
  ] of /** @type {[string, string[][][], number, number[]][]} */ ([
    ['no section', [], 10, []],
    ['a section without rows takes no line', [rows(), rows(1)], 1, [0, 1]],
    ['all of it, where it fits', [rows(2, 2), rows(1)], 5, [2, 1]],
    ['all of it, where there is no limit', [rows(9, 9), rows(9)], Infinity, [2, 1]],
    ['one line less: a row is hidden, and a line counts it', [rows(2, 2), rows(1)], 4, [1, 1]],
    ['a row for each before a second one', [rows(1, 1, 1), rows(1, 1, 1)], 4, [1, 1]],
    ['then a second one of the first section', [rows(1, 1, 1), rows(1, 1, 1)], 5, [3, 1]],
    ['the last row instead of a line that counts it', [rows(1, 1)], 2, [2]],
    ['a row too long gives its lines to the next section', [rows(1, 9), rows(1, 1)], 4, [1, 2]],
    ['no row where none fits, only the count', [rows(5), rows(5)], 2, [0, 0]],
    ['the first row of what matters most, where only that fits', [rows(3), rows(3)], 4, [1, 0]],
    ['less than nothing left', [rows(3), rows(3)], -5, [0, 0]],
  ]))
    it(title, () => assert.deepEqual(fitSections(sections, left), shown));
});
