'use strict';

const assert = require('node:assert/strict');
const util = require('node:util');
const { report, listReport } = require('../../../lib/text/report');
const { table } = require('../../../lib/text/table');
const { spark, gauge } = require('../../../lib/text/bars');

const plain = (/** @type {string} */ text) => text;

describe('text/report', () => {
  const made = report({ a: 1, list: [1] }, (ink) => `a is ${ink('1', 'bad')}`);
  it('is data for scripts', () => {
    assert.equal(made.a, 1);
    assert.equal(JSON.stringify(made), '{"a":1,"list":[1]}');
    assert.deepEqual(Object.keys(made), ['a', 'list']);
  });
  it('is text for people, also inside something else and in a template', () => {
    assert.equal(util.inspect(made), 'a is 1');
    assert.match(util.inspect({ made }), /a is 1/);
    assert.equal(`${made}`, 'a is 1');
  });
  it('has colour exactly where the terminal has it', () => {
    assert.match(util.inspect(made, { colors: true }), /\x1b\[31m1\x1b/);
    assert.doesNotMatch(util.inspect(made, { colors: false }), /\x1b/);
  });
  it('a list stays an array', () => {
    const list = listReport([1, 2], () => 'two');
    assert.ok(Array.isArray(list));
    assert.equal(JSON.stringify(list), '[1,2]');
    assert.equal(util.inspect(list), 'two');
    assert.equal(String(list), 'two');
    assert.deepEqual(
      list.map((n) => n + 1),
      [2, 3],
    );
  });
});

describe('text/table', () => {
  it('lines up without lines', () => {
    assert.equal(
      table(
        [{ head: 'name' }, { head: 'n', align: 'right' }],
        [
          ['a', '10'],
          ['bcdef', '1'],
        ],
        plain,
      ),
      'name    n\na      10\nbcdef   1',
    );
  });
  it('wraps a long text inside its column', () => {
    const lines = table(
      [{ head: 'k' }, { head: 'text', width: 12 }],
      [['x', 'one two three four']],
      plain,
    ).split('\n');
    assert.ok(lines.length > 2 && lines.every((line) => line.length <= 20), lines.join('|'));
  });
  it('lines up names that are drawn wider or narrower than they are long, and colours', () => {
    const red = (/** @type {string} */ text) => `\u001b[31m${text}\u001b[39m`;
    const lines = table(
      [{ head: 'n' }, { head: 'x' }],
      [
        ['漢字', '1'],
        ['e\u0301e\u0301', '2'],
        [red('abcd'), '3'],
        ['a\nb', '4'],
      ],
      plain,
    ).split('\n');
    assert.deepEqual(lines, [
      'n     x',
      '漢字  1',
      'e\u0301e\u0301    2',
      `${red('abcd')}  3`,
      'a     4',
      'b',
    ]);
  });
  it('keeps a word whole that is longer than its column, and a table without rows', () => {
    assert.equal(table([{ head: 't', width: 4 }], [['abcdefgh ij']], plain), 't\nabcdefgh\nij');
    assert.equal(table([{ head: 'a' }, { head: 'b' }], [], plain), 'a  b');
  });
  it('keeps a hostile name as text', () =>
    assert.match(table([{ head: 'n' }], [['<b>{bold}']], plain), /<b>\{bold\}/));
});

describe('text/bars', () => {
  it('goes from zero to the greatest value, newest at the right', () =>
    assert.equal(spark([0, 5, 10], { width: 3 }), '▁▅█'));
  it('is always as wide as asked', () => {
    assert.equal(spark([1], { width: 4 }), '   █');
    assert.equal(spark([1, 2, 3, 4, 5], { width: 2 }).length, 2);
  });
  it('can keep its scale', () => assert.equal(spark([0.5, 2], { width: 2, top: 1 }), '▅█'));
  it('nothing but zeros is flat, an unknown value is a gap', () =>
    assert.equal(spark([0, undefined, 0], { width: 3 }), '▁ ▁'));
});

describe('text/bars', () => {
  it('fills in proportion', () => {
    assert.equal(gauge(0), '░'.repeat(24));
    assert.equal(gauge(0.5), '█'.repeat(12) + '░'.repeat(12));
    assert.equal(gauge(7), '█'.repeat(24));
  });
  it('marks thresholds, and leaves out those beyond its end', () => {
    assert.equal(gauge(0, { marks: [0.5] }).indexOf('│'), 12);
    assert.equal(gauge(0, { marks: [1] }).indexOf('│'), 23);
    assert.doesNotMatch(gauge(0.2, { marks: [0.95, null], top: 0.3 }), /│/);
  });
  it('nothing is the least', () => assert.equal(gauge(-1e300, { width: 4 }), '░░░░'));
  it('an unknown ratio is a question mark of the same width', () =>
    assert.deepEqual([gauge(null).length, gauge(null).trim()], [24, '?']));
});
