'use strict';

const assert = require('node:assert/strict');
const { renderLint } = require('../../../../lib/config/lint/lint-text');

/** @param {string} text */
const plain = (text) => text;

describe('config/lint/lint-text', () => {
  /** @type {any} */
  const problem = {
    level: 'error',
    key: 'x',
    say: 'is bad',
    position: 11,
    todo: 'Do it.',
    when: 'always',
    line: 1,
  };
  /** @param {object[]} problems @param {string} [content] @param {object} [more] */
  const render = (problems, content = 'cache_size=1.5G', more = {}) =>
    renderLint(
      /** @type {any} */ ({
        ok: problems.every((one) => /** @type {any} */ (one).level !== 'error'),
        problems,
        version: '6.0.5',
        kind: 'string',
        file: null,
        ...more,
      }),
      content,
      plain,
    );
  it('the place, what is wrong, what to do', () =>
    assert.equal(
      render([problem]),
      `configuration string  for MongoDB 6.0.5
RESULT       not valid, 1 error
        cache_size=1.5G
                   ^
  ERR   is bad.
        → Do it.`,
    ));
  it('counts', () => {
    assert.match(
      render([problem, problem, { ...problem, level: 'warning' }]),
      /\nRESULT {7}not valid, 2 errors, 1 warning\n/,
    );
    assert.match(
      render([
        { ...problem, level: 'warning', position: null },
        { ...problem, level: 'warning', line: null },
      ]),
      /\nRESULT {7}valid, 2 warnings\n {2}WARN {2}is bad\.\n {8}→ Do it\.\n {2}WARN {2}is bad/,
    );
    assert.equal(
      render([]),
      'configuration string  for MongoDB 6.0.5\nRESULT       valid, no warnings',
    );
  });
  it('nothing to point at, no mark', () =>
    assert.equal(
      render([{ ...problem, position: 0 }], ''),
      'configuration string  for MongoDB 6.0.5\nRESULT       not valid, 1 error\n  ERR   is bad.\n        → Do it.',
    ));
  it('a file by its lines', () => {
    assert.match(
      render([{ ...problem, position: 9, line: 2 }], 'a: 1\nbcd: 2\n', {
        kind: 'file',
        file: '/etc/m.conf',
      }),
      /^\/etc\/m\.conf {2}for[\s\S]*\n {8}2: bcd: 2\n {15}\^\n/,
    );
    assert.match(render([], '', { kind: 'file' }), /^mongod\.conf {2}for/);
  });
  it('a place far to the right', () => {
    const content = `${'a=1,'.repeat(100)}b=x`;
    const [, , line, mark] = render([{ ...problem, position: 402 }], content).split('\n');
    assert.equal(line[mark.indexOf('^')], 'x');
    assert.ok(line.length <= 80);
  });
  it('control characters do not reach the terminal', () =>
    assert.match(render([{ ...problem, position: 1 }], 'a\u001b[31mb'), /\n {8}a \[31mb\n/));
});
