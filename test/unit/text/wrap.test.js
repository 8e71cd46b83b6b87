'use strict';

const assert = require('node:assert/strict');
const { wrap, atWidth, MIN: WIDTH, screenWidth, useColumns } = require('../../../lib/text/wrap');

describe('text/wrap', () => {
  it('leaves a short text on one line', () =>
    assert.deepEqual(wrap('one two', '  '), ['  one two']));
  it('breaks between words, at the width and not before', () => {
    const text = 'word '.repeat(60).trim();
    const lines = wrap(text, '  ');
    assert.ok(
      lines.length > 1 &&
        lines.every(
          (line) =>
            (line.length <= WIDTH && line.length > WIDTH - 'word '.length - 1) ||
            line === lines.at(-1),
        ),
    );
    assert.equal(lines.map((line) => line.trim()).join(' '), text);
  });
  it('a bullet stands on the first line alone', () => {
    const lines = wrap('word '.repeat(40).trim(), '      ', '    · ');
    assert.match(lines[0], /^ {4}· word/);
    assert.match(lines[1], /^ {6}word/);
  });
  it('a word longer than a line stays whole', () =>
    assert.deepEqual(wrap(`a ${'x'.repeat(200)} b`, ''), ['a', 'x'.repeat(200), 'b']));
  it('a number keeps its unit, a call its arguments, on one line', () => {
    for (const [whole, text] of [
      ['1.5 GiB', 'and 1.5 GiB more'],
      ['60 s.', 'and 60 s. More'],
      ['12 MiB/s,', 'at 12 MiB/s, as'],
      ['tune.advise({ seconds: 30 })', 'type tune.advise({ seconds: 30 }) then'],
    ])
      for (let blanks = 20; blanks < WIDTH; blanks += 1)
        assert.ok(
          wrap(`${'x'.repeat(blanks)} ${text} ${'word '.repeat(20)}`, '')
            .join('\n')
            .includes(whole),
          whole,
        );
  });
  it('a screen is as wide as the terminal, between 80 and 120 columns', () => {
    const widths = [40, 80, 100, 300].map((columns) => {
      useColumns(() => columns);
      return screenWidth();
    });
    useColumns(() => WIDTH);
    assert.deepEqual(widths, [80, 80, 100, 120]);
    assert.equal(
      atWidth(120, () => wrap('word '.repeat(40).trim(), '').length),
      2,
    );
    assert.equal(screenWidth(), WIDTH);
    assert.throws(() =>
      atWidth(100, () => {
        throw new Error('x');
      }),
    );
    assert.equal(screenWidth(), WIDTH);
  });
});
