'use strict';

const assert = require('node:assert/strict');
const { wrap, WIDTH } = require('../../../lib/text/wrap');

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
});
