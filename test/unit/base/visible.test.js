'use strict';

const assert = require('node:assert/strict');
const { visible } = require('../../../lib/base/pure/printable');

describe('base/pure/printable', () => {
  for (const [what, name, shown] of [
    ['a plain name', 'shop.orders_2026', 'shop.orders_2026'],
    ['letters of all scripts', 'größe.店', 'größe.店'],
    ['colours', 'a\x1b[31mb', 'a\\u001b[31mb'],
    ['those of the upper half', 'a\x9b31mb', 'a\\u009b31mb'],
    ['tab and new line', 'a\tb\nc\rd', 'a\\tb\\nc\\rd'],
    ['what turns the direction', 'a\u202eb\u2066c', 'a\\u202eb\\u2066c'],
    ['separators of lines', 'a\u2028b', 'a\\u2028b'],
    ['what takes no room', 'a\u200bb\u00adc\u2060d\ufeff', 'a\\u200bb\\u00adc\\u2060d\\ufeff'],
    ['joiners of pictures', '👩\u200d👧', '👩\\u200d👧'],
    ['tags beyond 0xffff', 'a\u{e0041}', 'a\\udb40\\udc41'],
    [
      'halves of characters and code points that are none',
      '\ud800a\udc00\ufdd0',
      '\\ud800a\\udc00\\ufdd0',
    ],
    ['blanks that count as letters', '\u3164\u115f', '\\u3164\\u115f'],
    ['pictures', '🐘 漢字', '🐘 漢字'],
    ['a bell and a deletion', '\x07\x7f', '\\u0007\\u007f'],
  ])
    it(what, () => assert.equal(visible(name), shown));
  it('in a string of JavaScript it means the same', () => {
    const name = 'a\x1b\x9b\t\n\u202e"\\z\u200b\u{e0041}\ud800';
    assert.equal(JSON.parse(visible(JSON.stringify(name))), name);
  });
});
