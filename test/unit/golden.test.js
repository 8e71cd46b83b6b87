'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { listCommands, allCommands } = require('../../lib/shell/registry');
const { cases, show } = require('../golden/screens');

// What every command prints, as a file of its own for each case, width and colour. Where a
// difference is meant: UPDATE_GOLDEN=1 npx mocha test/unit/golden.test.js, then read git diff.

const FOLDER = path.join(__dirname, '..', 'golden', 'screens');
const WIDTHS = [80, 120];
const ADVISE_LINES = Object.freeze({ sick: 24, healthy: 8 });
/** Scripts to copy: their lines are their own. */
const SCRIPTS = new Set(['host.collect', 'split.script']);
/** A name this long cannot be broken without spoiling it for whoever copies it. */
const UNBREAKABLE = /\S{60,}/;
const COLOUR = /\x1b\[\d+m/g;
/** A number at the end of a line, with its unit at the beginning of the next one. */
const TORN = /\d\n *(?:[KMGT]iB|GB|ms|s|min|h|%)(?![\w(])/;
const NEWLINE = '\n';
const isUpdate = Boolean(process.env.UPDATE_GOLDEN);

/** @param {string} name @param {number} width @param {boolean} colour */
const fileOf = (name, width, colour) =>
  path.join(FOLDER, `${name}-${width}${colour ? '-colour' : ''}.txt`);

/** @param {string} name @param {string} text @param {number} width */
function checkLines(name, text, width) {
  const plain = text.replace(COLOUR, '');
  for (const line of plain.split(NEWLINE)) {
    assert.ok(line.length <= width || UNBREAKABLE.test(line), `${name}: ${line.length}: ${line}`);
    assert.equal(line, line.trimEnd(), `${name}: blanks at the end of: ${line}|`);
  }
  assert.doesNotMatch(plain, TORN, `${name}: a number without its unit`);
}

describe('what every command prints', function () {
  this.timeout(60_000);
  const all = cases();
  for (const { command, name, answer } of all)
    it(name, async () => {
      const given = await answer();
      for (const width of WIDTHS)
        for (const colour of [false, true]) {
          const text = show(given, { width, colour });
          const file = fileOf(name, width, colour);
          if (isUpdate) fs.writeFileSync(file, `${text}${NEWLINE}`);
          assert.equal(`${text}${NEWLINE}`, fs.readFileSync(file, 'utf8'), file);
          if (!SCRIPTS.has(command)) checkLines(path.basename(file), text, width);
        }
    });
  it('each command has its files, and no file is without a case', () => {
    const commands = new Set(all.map(({ command }) => command));
    const missing = [...allCommands(listCommands())]
      .map(([name]) => name)
      .filter((name) => !commands.has(name));
    assert.deepEqual(missing, [], 'a case in test/golden/screens.js is missing');
    const files = all.flatMap(({ name }) =>
      WIDTHS.flatMap((width) =>
        [false, true].map((one) => path.basename(fileOf(name, width, one))),
      ),
    );
    for (const left of isUpdate ? fs.readdirSync(FOLDER) : [])
      if (!files.includes(left)) fs.rmSync(path.join(FOLDER, left));
    assert.deepEqual(fs.readdirSync(FOLDER).sort(), files.sort());
  });
  it('advise is one screen: 24 lines of a sick server, 8 of a healthy one', async () => {
    for (const { command, name, answer } of all.filter((one) => one.command === 'advise')) {
      const given = await answer();
      // The table of members comes on top: it was asked for.
      const members = given.members?.length > 0 ? given.members.length + 1 : 0;
      const lines = show(given, { width: 80, colour: false }).split(NEWLINE).length - members;
      const isHealthy =
        given.change === null &&
        given.findings.every(({ status }) => !/critical|warning/.test(status));
      const most = isHealthy ? ADVISE_LINES.healthy : ADVISE_LINES.sick;
      assert.ok(lines <= most, `${command} ${name}: ${lines} lines`);
    }
  });
  it('every answer is one screen of 24 lines; lists and scripts are longer', async () => {
    const long = [];
    for (const { name, answer } of all) {
      const lines = show(await answer(), { width: 80, colour: false }).split(NEWLINE).length;
      if (lines > ADVISE_LINES.sick) long.push(name);
    }
    assert.deepEqual(long.sort(), [
      'help',
      'host.collect',
      'incident-all',
      'rules',
      'split.script',
      'symptom',
    ]);
  });
  it('colour adds nothing but colour', async () => {
    for (const { answer } of all) {
      const given = await answer();
      assert.equal(
        show(given, { width: 80, colour: true }).replace(COLOUR, ''),
        show(given, { width: 80, colour: false }),
      );
    }
  });
  it('a plan without benefit, or with a blocker, does not end with the command that runs it', () => {
    for (const name of ['split.plan-no', 'split.plan-blocked'])
      assert.doesNotMatch(fs.readFileSync(fileOf(name, 80, false), 'utf8'), /split\.run/);
  });
});
