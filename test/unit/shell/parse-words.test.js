'use strict';

const assert = require('node:assert/strict');
const { flag, text } = require('../../../lib/base/pure/options');
const { splitWords, argumentsOf } = require('../../../lib/shell/parse-words');
const { listed } = require('../../support/listed');

const option = { check: text(), description: '' };
const aSwitch = { check: flag(), description: '' };
const command = (takes, options = {}) => listed(() => {}, { takes, options }).load();
const STATUS = command(['options'], { seconds: option, host: aSwitch });
const APPLY = command(['change', 'options'], { confirm: aSwitch });
const LINT = command(['text', 'options'], { version: option });
const EXPLAIN = command(['text']);
const UNDO = command(['id', 'options'], { confirm: aSwitch });

describe('shell/parse-words: splitWords', () => {
  const CASES = [
    ['blanks', '  status   --seconds\t5 ', ['status', '--seconds', '5']],
    ['nothing', '', []],
    ['a semicolon at the end', 'status ;', ['status']],
    ['a semicolon inside stays', 'lint a;b', ['lint', 'a;b']],
    ['quotes', 'lint "a b" \'c "d"\'', ['lint', 'a b', 'c "d"']],
    ['a quote inside a word is part of it', "say don't", ['say', "don't"]],
    ['an empty quoted word', 'lint ""', ['lint', '']],
    [
      'brackets of a configuration string',
      'lint eviction=(threads_min=4, threads_max=8) --version 8.0',
      ['lint', 'eviction=(threads_min=4, threads_max=8)', '--version', '8.0'],
    ],
    ['braces', 'apply { cacheSizeGB: 2 } --confirm', ['apply', '{ cacheSizeGB: 2 }', '--confirm']],
    ['brackets in brackets', 'x {a: [1, 2]} y', ['x', '{a: [1, 2]}', 'y']],
    ['an open bracket swallows the rest', 'x (a b', ['x', '(a b']],
  ];
  for (const [name, line, words] of CASES) {
    it(name, () =>
      assert.deepEqual(
        splitWords(line).map(({ text }) => text),
        words,
      ),
    );
  }
});

describe('shell/parse-words: argumentsOf', () => {
  const parse = (table, line) => argumentsOf(table, splitWords(line));
  const CASES = [
    ['no words: empty options', STATUS, '', [{}]],
    ['a number', STATUS, '--seconds 5', [{ seconds: 5 }]],
    ['a number behind "="', STATUS, '--seconds=0.5', [{ seconds: 0.5 }]],
    ['an exponent and a sign', STATUS, '--seconds -1e3', [{ seconds: -1000 }]],
    ['what is no number stays text', STATUS, '--seconds 5s', [{ seconds: '5s' }]],
    [
      'a switch takes no value',
      command(['text', 'options'], APPLY.options),
      '--confirm 7',
      ['7', { confirm: true }],
    ],
    ['a switch and a word for it', STATUS, '--host false', [{ host: false }]],
    ['a switch with "="', APPLY, '--confirm=false', [undefined, { confirm: false }]],
    ['--no- switches off', STATUS, '--no-host', [{ host: false }]],
    ['a flag without a value is true', STATUS, '--seconds --host', [{ seconds: true, host: true }]],
    [
      'an unknown flag goes to the command, which knows what is allowed',
      STATUS,
      '--secs 5',
      [{ secs: 5 }],
    ],
    ['null, true, false', STATUS, '--a null --b true --c false', [{ a: null, b: true, c: false }]],
    ['quoted values stay text', STATUS, '--seconds "5"', [{ seconds: '5' }]],
    [
      'knobs make the change',
      APPLY,
      '--cacheSizeGB 2 --confirm --evictionThreadsMax 8',
      [{ cacheSizeGB: 2, evictionThreadsMax: 8 }, { confirm: true }],
    ],
    [
      'a change in braces',
      APPLY,
      "{ cacheSizeGB: 2, 'evictionThreadsMax': 8 } --confirm",
      [{ cacheSizeGB: 2, evictionThreadsMax: 8 }, { confirm: true }],
    ],
    ['an id and options', UNDO, 'p --confirm', ['p', { confirm: true }]],
    ['an id that is left out', UNDO, '--confirm', [{ confirm: true }]],
    ['no change at all', APPLY, '', [undefined, {}]],
    ['text stays text, also when it looks like a number', EXPLAIN, '12', ['12']],
    ['no text', EXPLAIN, '', [undefined]],
    [
      'text and options',
      LINT,
      'cache_size=2G --version "6.0"',
      ['cache_size=2G', { version: '6.0' }],
    ],
  ];
  for (const [name, table, line, args] of CASES) {
    it(name, () => assert.deepEqual(parse(table, line), args));
  }

  const REFUSED = [
    ['a word too many', EXPLAIN, 'dirty-ratio fill', 'TUNE-10002', /"fill"/],
    ['a word where there are only options', STATUS, '5', 'TUNE-10002', /"5"/],
    [
      'an option as other programs take it',
      STATUS,
      'seconds=3',
      'TUNE-10002',
      /Did you mean --seconds 3\?/,
    ],
    [
      'a setting as other programs take it',
      APPLY,
      'cacheSizeGB=2',
      'TUNE-10002',
      /Did you mean --cacheSizeGB 2\?/,
    ],
    [
      'a name that nobody knows',
      APPLY,
      '{} bogus=2',
      'TUNE-10002',
      /"bogus=2" is one word too many\. G/,
    ],
    ['an option where there is none', EXPLAIN, 'x --loud', 'TUNE-10001', /"loud"/],
    ['braces that are no value', APPLY, '{cacheSizeGB 2}', 'TUNE-10002', /cacheSizeGB 2/],
  ];
  for (const [name, table, line, code, words] of REFUSED) {
    it(`refuses ${name}`, () =>
      assert.throws(
        () => parse(table, line),
        (error) => error.code === code && words.test(error.message),
      ));
  }
});
