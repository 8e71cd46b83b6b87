'use strict';

const assert = require('node:assert/strict');
const { nextSize, FIRST } = require('../../../lib/split/range-size');

describe('split: how large a range is', () => {
  for (const [
    what,
    size,
    last,
    next,
  ] of /** @type {[string, number, { ms: number, held: boolean }, number][]} */ ([
    ['a quick one doubles', 500, { ms: 249, held: false }, 1000],
    ['one that takes its time stays', 500, { ms: 250, held: false }, 500],
    ['as long as it does not take too much', 500, { ms: 1000, held: false }, 500],
    ['a slow one halves', 501, { ms: 1001, held: false }, 251],
    ['it does not grow without an end', 16_000, { ms: 1, held: false }, 16_000],
    ['a slow document stays alone', 1, { ms: 9000, held: false }, 1],
    ['while clients are spared it halves, however quick', 4000, { ms: 1, held: true }, 2000],
    ['not to nothing', 300, { ms: 1, held: true }, 250],
    ['and a small one stays', 7, { ms: 1, held: true }, 7],
  ]))
    it(what, () => assert.equal(nextSize(size, last), next));
  it('it begins small: documents may be of 16 MB', () => assert.ok(FIRST <= 500));
});
