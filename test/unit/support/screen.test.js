'use strict';

const assert = require('node:assert/strict');
const { drawScreen, plainText } = require('../../support/screen');

describe('drawScreen', () => {
  for (const [what, raw, expected] of [
    ['writes lines', 'one\r\ntwo', 'one\ntwo'],
    ['overwrites after a carriage return', 'abc\rX', 'Xbc'],
    [
      'wraps at the last column, but not before the next character',
      '0123456789\r\nab\r\n0123456789x',
      '0123456789\nab\n0123456789\nx',
    ],
    ['scrolls', 'a\r\nb\r\nc\r\nd\r\ne\r\nf', 'b\nc\nd\ne\nf'],
    ['moves up and erases a line', 'a\r\nb\x1b[1A\x1b[2K\x1b[1GX', 'X\nb'],
    ['erases to the end of the line', 'abcdef\x1b[3G\x1b[K', 'ab'],
    ['erases from the start of the line', 'abc\x1b[2G\x1b[1K', '  c'],
    ['erases below', 'a\r\nb\r\nc\x1b[1;1H\x1b[0J', ''],
    ['clears and starts at the top', 'a\r\nb\x1b[2J\x1b[Hc', 'c'],
    ['ignores colours, titles and modes', '\x1b[1;31mred\x1b[0m\x1b]0;title\x07\x1b[?25l!', 'red!'],
    ['moves right and left', 'ab\x1b[3Cx\x1b[2Dy', 'ab  yx'],
    ['steps to the next tab stop', 'a\tb', 'a       b'],
    ['takes back', 'ab\b\bX', 'Xb'],
    ['shows the alternate screen, which begins empty', 'a\x1b[?1049h\x1b[1;1Hb', 'b'],
    ['comes back to what was there, and where', 'ab\x1b[?1049h\x1b[2;1Hz\x1b[?1049lc', 'abc'],
    ['keeps characters beyond the first plane whole', '\u{1F680}x', '\u{1F680}x'],
  ])
    it(what, () => assert.equal(drawScreen(raw, 10, 5), expected));

  it('gives the text without its samples', () =>
    assert.equal(plainText('\x1b[31ma\x1b[0m\r\nb\x1b[2K\tc'), 'a\nb\tc'));
});
