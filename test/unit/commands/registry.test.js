'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { modulesIn } = require('../../../lib/base/own-files');
const { GROUPS } = require('../../../lib/base/pure/command');
const { listCommands, allCommands, listAll, listGroups } = require('../../../lib/shell/registry');
const { commandHelp, overallHelp } = require('../../../lib/shell/help');
const { hasSchema } = require('../../support/schemas');
const { temporaryFolder } = require('../../support/cleanup');

const ROOT = path.join(__dirname, '../../..');
const FOLDER = path.join(ROOT, 'lib/commands');
const LONGEST_USAGE = 43;
const TABLE = listCommands();
const ALL = allCommands(TABLE);
const NEW_COMMAND =
  'A command is one file of lib/commands, named as it is typed (split-plan.js is ' +
  'tune.split.plan), which exports defineCommand({ name, group, order, takes, usage, summary, ' +
  'options, examples, changes, run }), with risks where it changes something. Its test is ' +
  'test/server/<name>.test.js; then run npm run docs. A whole small one is in docs/dev/adding-a-command.md.';

/** The text of every test but this one. */
const readTests = () =>
  fs
    .readdirSync(path.join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js'))
    .map((file) => path.join(ROOT, 'test', file))
    .filter((file) => file !== __filename)
    .map((file) => fs.readFileSync(file, 'utf8'));

describe('the registry of commands', () => {
  it('has each file of lib/commands under its name', () => {
    const files = fs
      .readdirSync(FOLDER)
      .filter((file) => file.endsWith('.js'))
      .map((file) => path.basename(file, '.js'));
    assert.deepEqual(ALL.map(([name]) => name.replaceAll('.', '-')).sort(), files.sort());
    for (const [name, command] of ALL) assert.equal(command.name, name, NEW_COMMAND);
  });

  it('lists them by group and order, each place once', () => {
    const folderOf = (/** @type {string} */ name) => name.split('.').slice(0, -1).join('.');
    for (const [name, { group, order }] of ALL) {
      assert.ok(GROUPS.includes(group) && Number.isInteger(order) && order > 0, NEW_COMMAND);
      const beside = ALL.filter(
        ([other, command]) => command.group === group && folderOf(other) === folderOf(name),
      );
      const [same] = beside.filter(([other, command]) => other !== name && command.order === order);
      const free = 1 + Math.max(...beside.map(([, command]) => command.order));
      assert.ok(
        same === undefined,
        `${name} and ${same?.[0]} have the same place in the help: group "${group}", order ` +
          `${order}. Free: order ${free}.`,
      );
    }
    assert.deepEqual(
      listGroups(TABLE).map(({ title, commands }) => [title, commands[0].name]),
      [
        ['Look', 'status'],
        ['Diagnose', 'advise'],
        ['Change', 'apply'],
        ['Test', 'trial'],
        ['Split', 'split'],
        ['Record and report', 'record'],
        ['Fleet', 'metrics'],
      ],
    );
  });

  it('has a test for each, or for the commands below it', () => {
    const tests = readTests();
    const names = ALL.map(([name]) => name);
    assert.deepEqual(
      names.filter((name) => {
        if (names.some((other) => other.startsWith(`${name}.`))) return false;
        const required = `lib/commands/${name.replaceAll('.', '-')}'`;
        return !tests.some((text) => text.includes(required) || text.includes(`tune.${name}(`));
      }),
      [],
      `No test calls these. ${NEW_COMMAND}`,
    );
  });

  for (const [name, command] of ALL) {
    it(`${name}: has one line of help, and examples of itself`, () => {
      const { usage, summary, examples } = command;
      assert.ok(usage.startsWith(`tune.${name}(`) && usage.length <= LONGEST_USAGE, usage);
      assert.match(summary, /^[A-Z][^\n]{10,70}[^.\n]$/);
      assert.ok(examples.length > 0, NEW_COMMAND);
      for (const example of examples)
        assert.match(example, new RegExp(`\\btune[. ]${name.replace('.', '[. ]')}\\b`));
    });
    it(`${name}: what it answers has a schema`, () =>
      assert.ok(
        hasSchema(name),
        `schemas/${name.replaceAll('.', '-')}.json is missing. Declare what tune.${name}() answers ` +
          'with @returns at the function that is its run, every field of it, and run npm run ' +
          'schemas. What is in a schema stays as it is until the next major release: docs/stability.md.',
      ));
    it(`${name}: its options are those of its usage, each described`, () => {
      const { usage, options, takes } = command;
      for (const [option, { description, check }] of Object.entries(options)) {
        // Whatever can be confirmed takes a ticket: no usage has to say it.
        const isSaid = usage.includes(option) || usage.includes('…') || option === 'ticket';
        assert.ok(isSaid, `${option} is not in ${usage}`);
        assert.ok(description.length > 5 && typeof check.allowed === 'string', NEW_COMMAND);
      }
      assert.equal(Object.keys(options).length > 0, takes.includes('options'));
    });
    it(`${name}: its examples give only options that it has`, () => {
      for (const example of command.examples)
        for (const [, option] of example.matchAll(/--(?:no-)?(\w+)/g))
          assert.ok(
            Object.hasOwn(command.options, option) || command.takes.includes('change'),
            `${example}: ${option}`,
          );
    });
  }

  it('what changes anything has risks, in its help before the options; nothing else has', () => {
    for (const [name, { changes, risks = [] }] of ALL) {
      assert.equal(risks.length > 0, changes !== 'nothing', `${name}: ${NEW_COMMAND}`);
      for (const risk of risks)
        for (const sentence of risk.split(/(?<=\.) /)) {
          assert.match(sentence, /^.*\.$/, `${name}: ${sentence}`);
          assert.ok(sentence.split(' ').length <= 25, `${name}: ${sentence}`);
        }
    }
    const lines = commandHelp(TABLE.apply.load(), {})().attr.map((one) => one.description);
    const [risks, options] = [
      lines.indexOf('Risks:'),
      lines.findIndex((one) => /^ *confirm /.test(one)),
    ];
    assert.ok(risks > 0 && risks < options, lines.join('\n'));
  });

  it('names what shows the state of a split, or of a benchmark, that was left', () => {
    const changing = ALL.filter(([, { changes }]) => changes !== 'nothing');
    const own = { split: 'splits', bench: 'benchmarks', 'bench.steps': 'settings' };
    for (const [name, { changes }] of changing)
      assert.equal(changes, own[name] ?? own[name.split('.')[0]] ?? 'settings', name);
    assert.deepEqual([...new Set(changing.map(([name]) => name.split('.')[0]))].sort(), [
      'apply',
      'auto',
      'bench',
      'split',
      'trial',
      'undo',
    ]);
  });

  it('loads no command before it is called', () => {
    const script =
      'require(".")(null); console.log(Object.keys(require.cache).filter((file) => ' +
      '/lib.commands/.test(file)).join())';
    assert.equal(
      execFileSync(process.execPath, ['-e', script], { cwd: ROOT, encoding: 'utf8' }).trim(),
      '',
    );
  });
});

describe('a command that cannot be loaded', () => {
  const folder = temporaryFolder('registry');
  after(() => folder.remove());
  const table = () => listCommands(modulesIn(folder.path));

  it('says so when it is called, and is in the help as the last', () => {
    fs.writeFileSync(path.join(folder.path, 'aside.js'), 'module.exports = {');
    fs.writeFileSync(
      path.join(folder.path, 'whole.js'),
      "module.exports = { name: 'whole', group: 'Look', order: 1, summary: 'Is whole' };",
    );
    assert.throws(
      () => table().aside.load(),
      (/** @type {any} */ error) =>
        error.code === 'TUNE-90001' &&
        /tune\.aside cannot be loaded: Unexpected end/.test(error.message),
    );
    assert.deepEqual(
      listAll(table()).map(({ name }) => name),
      ['whole', 'aside'],
    );
    const lines = overallHelp(table())().attr.map(({ description }) => description);
    assert.ok(lines.some((line) => /tune\.whole +Is whole/.test(line)));
    assert.ok(lines.some((line) => /tune\.aside +cannot be loaded; install tune again/.test(line)));
  });
});
