'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { main } = require('../../../scripts/docs');
const { loadAllRules } = require('../../../lib/rules/registry');
const { confirmOption } = require('../../../lib/base/pure/command');
const { number, text } = require('../../../lib/base/pure/options');
const { listCommands, allCommands } = require('../../../lib/shell/registry');
const { PRIVILEGES } = require('../../../scripts/documents/privileges');
const { commandPage, commandsIndex } = require('../../../scripts/documents/command-page');
const { referenceCard, TASKS } = require('../../../scripts/documents/reference-card');
const { sourcesPage } = require('../../../scripts/documents/sources-page');
const { listed } = require('../../support/listed');

const COMMANDS = listCommands();

const root = path.join(__dirname, '..', '..', '..');

/** @param {string[]} args @param {string} folder @returns {{ code: number, said: string }} */
function run(args, folder) {
  /** @type {string[]} */ const said = [];
  const log = (/** @type {string} */ text) => {
    said.push(text);
  };
  return {
    code: main(args, { docs: path.dirname(folder), out: { log, error: log } }),
    said: said.join('\n'),
  };
}

describe('scripts/docs', () => {
  /** @type {string} */ let folder;
  beforeEach(() => {
    folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'mongosh-tune-docs-')), 'rules');
  });
  afterEach(() => fs.rmSync(path.dirname(folder), { recursive: true }));

  it('writes a page for every rule, for every command, and the lists, once', () => {
    const { said } = run([], folder);
    assert.match(said, /docs\/rules: wrote README\.md, aggressive-mode\.md/);
    assert.match(said, /docs\/commands: wrote README\.md, advise\.md/);
    assert.deepEqual(
      fs.readdirSync(path.join(folder, '../commands')).sort(),
      ['README.md', ...Object.keys(COMMANDS).map((name) => `${name}.md`)].sort(),
    );
    assert.deepEqual(
      fs.readdirSync(folder).sort(),
      ['README.md', ...loadAllRules().map(({ id }) => `${id}.md`)].sort(),
    );
    assert.match(run([], folder).said, /nothing to do/);
    assert.equal(run(['--check'], folder).code, 0);
  });
  it('--check names what differs, is missing, or belongs to nothing, and writes nothing', () => {
    run([], folder);
    fs.appendFileSync(path.join(folder, 'tickets.md'), 'more');
    fs.rmSync(path.join(folder, 'cache-fill.md'));
    fs.writeFileSync(path.join(folder, 'gone.md'), 'of a rule that is no more');
    const { code, said } = run(['--check'], folder);
    assert.equal(code, 1);
    assert.deepEqual(said.match(/\w[\w-]*\.md/g), ['cache-fill.md', 'gone.md', 'tickets.md']);
    assert.match(fs.readFileSync(path.join(folder, 'tickets.md'), 'utf8'), /more$/);
    assert.ok(!fs.existsSync(path.join(folder, 'cache-fill.md')));
  });
  it('puts right what differs, and takes away what belongs to no rule', () => {
    run([], folder);
    fs.appendFileSync(path.join(folder, 'tickets.md'), 'more');
    fs.writeFileSync(path.join(folder, 'gone.md'), '');
    assert.equal(run([], folder).code, 0);
    assert.ok(!fs.existsSync(path.join(folder, 'gone.md')));
    assert.equal(run(['--check'], folder).code, 0);
  });
  it('--check fails where there are no pages at all', () =>
    assert.equal(run(['--check'], folder).code, 1));
  it('the pages of this checkout are those of its rules and commands', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [path.join(root, 'scripts/docs.js'), '--check'],
      { encoding: 'utf8' },
    );
    assert.equal(status, 0, stderr);
  });
});

describe('the reference card', () => {
  it('names each command, and only such', () => {
    const names = allCommands(COMMANDS).map(([name]) => name);
    const card = referenceCard(COMMANDS);
    for (const name of names) assert.ok(card.includes(`\ntune.${name}(`), name);
    for (const [task, call] of TASKS) {
      const [, name] = /^tune\.([\w.]+)\(/.exec(call) ?? [];
      assert.ok(name === 'last.all' || names.includes(name), `${task}: ${call}`);
    }
    for (const line of card.split('\n')) assert.ok(line.length <= 120, line);
  });
});

describe('the page of sources', () => {
  const page = sourcesPage(loadAllRules());
  it('has every ticket that a rule or a page of evidence names', () => {
    const evidence = path.join(root, 'docs/evidence');
    const texts = [
      ...loadAllRules().map(({ source }) => source),
      ...fs.readdirSync(evidence).map((name) => fs.readFileSync(path.join(evidence, name), 'utf8')),
    ];
    const tickets = texts.flatMap((text) => text.match(/\b(?:WT|SERVER|DOCS)-\d+/g) ?? []);
    assert.ok(tickets.length > 5);
    for (const ticket of tickets) assert.ok(page.includes(`browse/${ticket})`), ticket);
  });
  it('lists the addresses that rules cite, with the rules', () => {
    const source =
      'MongoDB manual, Production Notes: swap (0 or 1) (https://example.com/notes/); WT-1: slow ' +
      '(https://example.com/WT-1); project measurement (docs/evidence/stalls.md).';
    const cited = sourcesPage([
      { id: 'one', source },
      { id: 'two', source },
    ]);
    assert.match(
      cited,
      /\n- \[MongoDB manual, Production Notes: swap \(0 or 1\)\]\(https:\/\/example\.com\/notes\/\): \[one\]\(rules\/one\.md\), \[two\]/,
    );
    assert.match(cited, /\n- \[WT-1: slow\]\(https:\/\/example\.com\/WT-1\): /);
  });
});

describe('the page of a command', () => {
  const look = async () => {};
  const facts = {
    takes: /** @type {const} */ (['options']),
    usage: 'tune.x({ seconds })',
    summary: 'Looks',
    details: 'It only looks',
    examples: ['tune.x()', 'tune x --seconds 5'],
    options: {
      seconds: { check: number(), default: 30, description: 'how long to look' },
      by: { check: text(), description: '"a" | "b"' },
    },
  };
  it('has usage, help, each option with its default, and the examples', () => {
    const page = commandPage(listed(look, facts));
    for (const wanted of [
      '# tune.x\n',
      '```js\ntune.x({ seconds })\n```',
      'Looks. It only looks.',
      '| `seconds` | how long to look | 30 |',
      '| `by` | "a" \\| "b" |  |',
      'It changes nothing. Privileges: `clusterMonitor`',
      '```js\ntune.x()\ntune x --seconds 5\n```',
    ])
      assert.ok(page.includes(wanted), page);
  });
  it('says what can change something, and what that needs', () => {
    const page = commandPage(
      listed(look, {
        ...facts,
        options: { confirm: confirmOption('it is shown') },
        changes: 'settings',
      }),
    );
    assert.match(page, /with `\{ confirm: true \}` only[^]*`setParameter`/);
    assert.match(
      commandPage(listed(look, { ...facts, options: {}, changes: 'settings' })),
      /It has no options\.[^]*writes its progress/,
    );
  });
  it('has the risks before the options', () => {
    const page = commandPage(listed(look, { ...facts, risks: ['It may hurt.', 'It is lost.'] }));
    assert.match(
      page,
      /It only looks\.\n\n\*\*Risks\*\*\n\n- It may hurt\.\n- It is lost\.\n\n.*checklist[^]*\| option/,
    );
    assert.doesNotMatch(commandPage(listed(look, facts)), /Risks/);
  });
  it('has those below it, and the list leads to their headings', () => {
    const deep = listed(look, { name: 'x.deep', usage: 'tune.x.deep()' });
    const table = { x: listed(look, facts, { deep }) };
    assert.match(commandPage(table.x), /\n## tune\.x\.deep\n\n```js\ntune\.x\.deep\(\)/);
    assert.match(commandsIndex(table), /\[tune\.x\.deep\]\(x\.md#tunexdeep\)/);
  });
  it('privileges are said of commands that exist', () => {
    const names = allCommands(COMMANDS).map(([name]) => name);
    const later = new Set(['fleet', 'members']);
    assert.deepEqual(
      Object.keys(PRIVILEGES).filter((name) => !names.includes(name) && !later.has(name)),
      [],
    );
  });
});
