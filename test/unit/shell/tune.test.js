'use strict';

const assert = require('node:assert/strict');
const { inspect } = require('node:util');
const { describe: describeOption } = require('../../../lib/base/pure/command');
const { text } = require('../../../lib/base/pure/options');
const { makeTune } = require('../../../lib/shell/tune');
const { listCommands, allCommands, findCommand } = require('../../../lib/shell/registry');
const { complete } = require('../../../lib/shell/words');
const { listed } = require('../../support/listed');

const COMMANDS = listCommands();

const API_TYPE = Symbol.for('@@mongosh.shellApiType');
const place = {
  send: async () => ({ ok: 1 }),
  home: '/h',
  terminal: { isTTY: false, columns: 80, write() {} },
  progress: () => () => {},
  guard: (job) => job.run(new AbortController().signal),
};
const seven = listed(async () => 7, { name: 'seven', usage: 'tune.seven()', summary: 'Seven' });

describe('shell/tune', () => {
  it('shows nothing but its commands', () => {
    const tune = makeTune(COMMANDS, place);
    assert.deepEqual(Object.keys(tune), Object.keys(COMMANDS));
    assert.equal(Object.getPrototypeOf(tune), null);
    assert.deepEqual(Object.keys(tune.status), []);
  });

  it('a command has nothing that TAB could offer but its help and the commands below it', () => {
    const tune = makeTune(COMMANDS, place);
    assert.deepEqual(Object.getOwnPropertyNames(tune.advise), ['help']);
    assert.deepEqual(Object.getOwnPropertyNames(tune.host).sort(), ['collect', 'help']);
    assert.equal(Object.getPrototypeOf(tune.advise), null);
    assert.equal(typeof tune.advise, 'function');
  });

  it('keeps the last answer', async () => {
    const tune = makeTune({ seven }, place);
    assert.equal(tune.last, undefined);
    await tune.seven();
    assert.equal(tune.last, 7);
    assert.deepEqual(Object.keys(tune), ['seven']);
  });

  it('alone is a short overview that fits an 80-column terminal', () => {
    const text = inspect(makeTune(COMMANDS, place));
    assert.match(text, /^tune \d+\.\d+\.\d+/);
    assert.match(text, /tune\.advise\(\)/);
    assert.match(text, /tune\.help\(\)/);
    assert.ok(text.split('\n').length <= 10, text);
    for (const line of text.split('\n')) assert.ok(line.length < 80, line);
    assert.equal(`${makeTune(COMMANDS, place)}`, text);
  });

  it('says what to do with a command that is not called', () => {
    const tune = makeTune(COMMANDS, place);
    assert.match(inspect(tune.status), /tune\.status\(\{ seconds \}\)[^]*Call it with\s+\(\)/);
  });
});

describe('shell/registry: commands below commands', () => {
  const inner = listed(async () => 8, {
    name: 'outer.inner',
    takes: ['options'],
    usage: 'tune.outer.inner({ deep })',
    summary: 'Eight',
    options: { deep: { check: text(), description: 'how deep' } },
  });
  const table = {
    outer: listed(async () => 7, { name: 'outer', examples: ['tune.outer()'] }, { inner }),
  };
  const tune = makeTune(table, place);

  it('are functions on functions', async () => {
    assert.deepEqual([await tune.outer(), await tune.outer.inner()], [7, 8]);
    assert.deepEqual(Object.keys(tune.outer), ['inner']);
    assert.match(inspect(tune.outer.inner), /tune\.outer\.inner\.help\(\)/);
  });

  it('are in the list of all, and in the help', () => {
    assert.deepEqual(
      allCommands(table).map(([name]) => name),
      ['outer', 'outer.inner'],
    );
    assert.match(inspect(tune.help()), /tune\.outer\.inner {2}Eight/);
    assert.match(inspect(tune.outer.help()), /\n +tune\.outer\.inner {2}Eight\n/);
  });

  it('are found by their words, as deep as these lead', () => {
    const find = (line) =>
      findCommand(
        table,
        line.split(' ').map((text) => ({ text })),
      );
    assert.deepEqual(
      [find('outer inner --deep 1')?.listed.name, find('outer inner --deep 1')?.rest.length],
      ['outer.inner', 2],
    );
    assert.deepEqual(
      [find('outer --inner')?.listed.name, find('outer --inner')?.rest.length],
      ['outer', 1],
    );
    assert.equal(find('inner'), null);
  });

  it('are offered by TAB, with their options', () => {
    assert.deepEqual(complete(table, ['tune', 'outer', 'in']), ['inner']);
    assert.deepEqual(complete(table, ['tune', 'outer', 'inner', '--']), ['--deep']);
  });
});

/** @param {string} text */
const words = (text) => text.replace(/\s+/g, ' ');

describe('shell/help', () => {
  const tune = makeTune(COMMANDS, place);

  it('is help for mongosh both with and without parentheses', () => {
    for (const help of [tune.help, tune.help(), tune.advise.help, tune.advise.help()]) {
      assert.equal(help[API_TYPE], 'Help');
      assert.equal(typeof help.help, 'string');
      assert.ok(Array.isArray(help.attr));
    }
  });

  it('names every command, every option and every example', () => {
    const overall = inspect(tune.help());
    for (const [name, { usage, summary, options, examples }] of allCommands(COMMANDS)) {
      assert.ok(overall.includes(`tune.${name} `) && words(overall).includes(summary), name);
      const own = inspect(
        name
          .split('.')
          .reduce((one, part) => one[part], tune)
          .help(),
      );
      for (const part of [
        usage,
        summary,
        ...Object.values(options).map(describeOption),
        ...examples,
      ])
        assert.ok(words(own).includes(words(part)), `${name}: ${part}`);
    }
  });

  it('has no line wider than 80 columns', () => {
    for (const help of [
      tune.help,
      ...allCommands(COMMANDS).map(
        ([name]) => name.split('.').reduce((one, part) => one[part], tune).help,
      ),
    ]) {
      for (const line of inspect(help()).split('\n')) assert.ok(line.length <= 80, line);
    }
  });
});

describe('shell/words: completion', () => {
  const NAMES = Object.keys(COMMANDS);
  const CASES = [
    ['the commands', ['tune', ''], [...NAMES, 'help']],
    ['what a word begins', ['tune', 'h'], ['history', 'host', 'help']],
    ['no such word', ['tune', 'xyz'], []],
    [
      'a whole name: longer names and its options',
      ['tune', 'mongodConf'],
      (hits) => hits.includes('mongodConf') && hits.includes('mongodConf --cacheSizeGB'),
    ],
    ['options', ['tune', 'status', '--'], ['--seconds']],
    ['options behind values', ['tune', 'watch', '--every', '1', '--s'], ['--seconds', '--screen']],
    ['knobs before options', ['tune', 'apply', '--cache'], ['--cacheSizeGB']],
    [
      'options behind knobs',
      ['tune', 'apply', '--cacheSizeGB', '2', '--c'],
      ['--cacheSizeGB', '--confirm'],
    ],
    ['the names of rules', ['tune', 'explain', 'dirty-r'], ['dirty-ratio']],
    ['the codes of errors', ['tune', 'explain', 'TUNE-2000'], (hits) => hits.length > 5],
    ['help on its own', ['tune', 'help'], NAMES.map((name) => `help ${name}`)],
    ['help on a command', ['tune', 'help', 'st'], ['status']],
    ['nothing behind an unknown command', ['tune', 'xyz', '--'], []],
  ];
  for (const [name, words, expected] of CASES) {
    it(name, () => {
      const hits = complete(COMMANDS, words);
      if (typeof expected === 'function') assert.ok(expected(hits), hits.join());
      else assert.deepEqual(hits, expected);
    });
  }
});
