'use strict';

const assert = require('node:assert/strict');
const vm = require('node:vm');
const { codeLines, labelled, fold, MIN: WIDTH } = require('../../../lib/text/wrap');
const { titledTable } = require('../../../lib/text/table');

describe('text/wrap', () => {
  const value = {
    text: 'a long string that has blanks in it, "quotes", and [brackets',
    list: Array.from({ length: 30 }, (_, i) => ({ i })),
  };
  const code = `(${JSON.stringify(value).replaceAll(',', ', ').replaceAll(', and', ',and').replaceAll(', \\"', ',\\"')})`;
  it('breaks inside brackets only, and means the same', () => {
    const lines = codeLines(code, '   ');
    assert.ok(
      lines.length > 3 && lines.every((line) => line.length <= WIDTH && line.startsWith('   ')),
      lines.join('\n'),
    );
    assert.deepEqual(
      JSON.parse(JSON.stringify(vm.runInNewContext(lines.join('\n')))).list,
      value.list,
    );
  });
  it('each line but the last leaves a bracket open, so that a shell waits', () => {
    const lines = codeLines(`first(${'x, '.repeat(60)}x) > 0 && second(${'y, '.repeat(60)}y)`, '');
    for (let i = 1; i < lines.length; i++)
      assert.throws(() => new vm.Script(lines.slice(0, i).join('\n')), SyntaxError);
    new vm.Script(lines.join('\n'));
  });
  it('never behind return, never in a string', () => {
    const lines = codeLines(
      `const f = (due) => { const someNumber = ${'1 + '.repeat(13)}1; return someNumber + ` +
        `1000; }; f() + '${'x '.repeat(50)}'`,
      '',
    );
    assert.ok(
      lines.some((line) => line.includes('return someNumber')),
      lines.join('\n'),
    );
    assert.ok(lines.at(-1)?.endsWith(`'${'x '.repeat(50)}'`));
  });
  it('behind a label further lines stand under its beginning', () => {
    const [first, second] = labelled('then:  ', `f(${'x, '.repeat(40)}x)`, (line) => `<${line}>`);
    assert.match(first, /^then: {2}<f\(x, /);
    assert.match(second, /^ {7}< {2}x, /);
  });
  it('short code is one line', () =>
    assert.deepEqual(codeLines('db.a.drop()', '  '), ['  db.a.drop()']));
});

describe('text/wrap', () => {
  const words = 'word '.repeat(40).trim();
  it('leaves lines that fit', () =>
    assert.equal(fold(`${'x'.repeat(WIDTH)}\n  b`), `${'x'.repeat(WIDTH)}\n  b`));
  it('breaks longer ones between words, deeper than they began', () => {
    const lines = fold(`  ${words}`).split('\n');
    assert.ok(
      lines.length > 2 &&
        lines.every(
          (line, i) => line.length <= WIDTH && line.startsWith(i === 0 ? '  w' : '    w'),
        ),
      lines.join('\n'),
    );
    assert.equal(lines.map((line) => line.trim()).join(' '), words);
  });
  it('the rest of a comment is a comment', () => {
    const lines = fold(`  # ${words}`).split('\n');
    assert.ok(
      lines.length > 2 &&
        lines.every((line) => line.startsWith('  # word') && line.length <= WIDTH),
      lines.join('\n'),
    );
  });
  it('colours take no room, and stay', () => {
    const red = `\x1b[31m${'word '.repeat(16).trim()}\x1b[39m`;
    assert.equal(fold(red), red);
    assert.equal(
      fold(`\x1b[31m${words}\x1b[39m`).replaceAll('\n  ', ' '),
      `\x1b[31m${words}\x1b[39m`,
    );
  });
  it('where a colour begins before the blanks, further lines still go deeper', () => {
    const key = `        configString: ${'x'.repeat(70)}`;
    assert.equal(
      fold(`\x1b[2m${key}\x1b[22m`),
      `\x1b[2m        configString:\n          ${'x'.repeat(70)}\x1b[22m`,
    );
    assert.ok(
      fold(`\x1b[2m  # ${words}\x1b[22m`)
        .split('\n')
        .slice(1)
        .every((line) => line.startsWith('  # word')),
    );
  });
  it('what has no blank, or stands in quotes, stays whole', () => {
    assert.equal(fold(`a ${'x'.repeat(100)} b`), `a\n  ${'x'.repeat(100)}\n  b`);
    assert.equal(
      fold(`f("${'x '.repeat(60)}") ${words.slice(0, 20)}`).split('\n')[0],
      `f("${'x '.repeat(60)}")`,
    );
    assert.ok(
      fold(`5" ${words}`)
        .split('\n')
        .every((line) => line.length <= WIDTH),
    );
  });
  it('blanks at the edge vanish', () =>
    assert.deepEqual(fold(`${'x'.repeat(79)}   yy`).split('\n'), ['x'.repeat(79), '  yy']));
});

describe('text/table', () => {
  it('a name of any length above its figures', () => {
    const lines = titledTable(
      [{ head: 'a', align: 'right' }, { head: 'b' }],
      [
        { title: 'n'.repeat(200), cells: ['1000', 'x'] },
        { title: 'm', cells: ['2', ''] },
      ],
      (text) => text,
    );
    assert.deepEqual(lines, ['   a  b', 'n'.repeat(200), '1000  x', 'm', '   2']);
  });
});
