'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { COMMANDS } = require('../../snippets/tune');
const { allCommands } = require('../../lib/shell/table');

const ROOT = path.join(__dirname, '../..');
const LONGEST_USAGE = 43;
const ALL = allCommands(COMMANDS);
/** `host.collect` → `hostCollect` @param {string} name */
const functionOf = (name) => name.replace(/\.(\w)/g, (_, letter) => letter.toUpperCase());

describe('the table of commands', () => {
  it('is the whole of lib/commands', () => {
    const files = fs
      .readdirSync(path.join(ROOT, 'lib/commands'))
      .filter((name) => name.endsWith('.js'))
      .map((name) => path.basename(name, '.js'));
    assert.deepEqual(ALL.map(([name]) => name.replaceAll('.', '-')).sort(), files.sort());
  });

  for (const [name, entry] of ALL) {
    it(`${name}: has a function of its name, one line of help, and examples of itself`, () => {
      assert.equal(entry.load().name, functionOf(name));
      assert.ok(
        entry.usage.startsWith(`tune.${name}(`) && entry.usage.length <= LONGEST_USAGE,
        entry.usage,
      );
      assert.match(entry.help, /^[A-Z][^\n]{10,70}[^.\n]$/);
      assert.ok(entry.examples.length > 0);
      for (const example of entry.examples)
        assert.match(example, new RegExp(`\\btune[. ]${name.replace('.', '[. ]')}\\b`));
    });
    it(`${name}: its options are those of its usage, each described`, () => {
      for (const { name: option, description } of entry.options) {
        assert.ok(
          entry.usage.includes(option) || entry.usage.includes('…'),
          `${option} is not in ${entry.usage}`,
        );
        assert.ok(description.length > 5);
      }
      assert.equal(entry.options.length > 0, entry.takes.includes('options'));
    });
  }

  it(
    'names what shows the state of a split, or of a benchmark, that was left: the history has ' +
      'settings alone',
    () => {
      const changing = ALL.filter(([, { changes }]) => changes).map(([name, { shownBy }]) => [
        name.split('.')[0],
        shownBy,
      ]);
      const own = { split: 'tune.split.status()', bench: 'tune.bench.clean()' };
      for (const [name, shownBy] of changing) assert.equal(shownBy, own[name], name);
      assert.deepEqual([...new Set(changing.map(([name]) => name))].sort(), [
        'apply',
        'auto',
        'bench',
        'ladder',
        'split',
        'trial',
        'undo',
      ]);
    },
  );

  it('loads nothing before it is called', () => {
    const { execFileSync } = require('node:child_process');
    const script =
      'require("./snippets/tune"); console.log(Object.keys(require.cache).filter((file) => ' +
      '!/snippets.(tune|table.[a-z]+)\\.js$/.test(file)).join())';
    assert.equal(
      execFileSync(process.execPath, ['-e', script], { cwd: ROOT, encoding: 'utf8' }).trim(),
      '',
    );
  });
});
