'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { variableOf } = require('../../lib/base/environment');
const { listCommands } = require('../../lib/shell/registry');
const { SCRIPTS, scriptOf } = require('../../lib/shell/runbook');
const { COMMON } = require('../../lib/shell/script');

const SNIPPETS = path.join(__dirname, '../../snippets');
const namesIn = (/** @type {string} */ folder) =>
  fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => name.slice(0, -3))
    .sort();
const NAMES = Object.keys(SCRIPTS);
const PAGE = fs.readFileSync(path.join(__dirname, '../../docs/runbook.md'), 'utf8');
/** The part of the page about one script. @param {string} name */
const partOf = (name) =>
  PAGE.split(/^(?=## )/m).find((part) => part.startsWith(`## ${name}.js\n`)) ?? '';

/** @param {string} name @param {string} option */
const rowOf = (name, option) =>
  partOf(name)
    .split('\n')
    .find((text) => text.split('|')[1]?.includes(`\`${variableOf(option)}\``)) ?? '';
/**
 * What the page must say of an option that is not given: as a variable, where its command has a
 * plain default.
 * @param {string} name
 * @param {string} option
 * @returns {string | null}
 */
function usualOf(name, option) {
  const listed = listCommands()[name];
  const usual = listed?.load().options[option]?.default;
  if (usual === undefined || option in (SCRIPTS[name].own ?? {})) return null;
  if (typeof usual === 'boolean') return `(\`${Number(usual)}\`)`;
  return typeof usual === 'string' ? `(\`${usual}\`)` : `(${usual})`;
}

describe('the runbook', () => {
  it('each script has its file in snippets', () => assert.deepEqual(namesIn(SNIPPETS), NAMES));
  it('what all scripts have is on the page', () => {
    for (const name of Object.keys(COMMON))
      assert.ok(PAGE.includes(`\`${variableOf(name)}\``), name);
  });
  it('what must be given is asked for by its variable', () => {
    for (const [name, variable] of [
      ['fleet', 'TUNE_LIST'],
      ['ftdc', 'TUNE_PATH'],
      ['report', 'TUNE_OUTPUT'],
    ]) {
      assert.throws(
        () => scriptOf(name).run({}, {}),
        (/** @type {any} */ error) =>
          error.code === 'TUNE-10004' &&
          error.message.includes(`${name}.js: ${variable} is missing`),
      );
    }
  });
  for (const name of NAMES) {
    describe(name, () => {
      const script = scriptOf(name);
      it('is what its file calls, in a few lines', () => {
        const text = fs.readFileSync(path.join(SNIPPETS, `${name}.js`), 'utf8');
        assert.match(
          text,
          new RegExp(`'../lib/shell/runbook'\\)[^]*\\.run\\(\\s*globalThis,\\s*'${name}'`),
        );
        assert.ok(text.length < 700, 'mongosh rewrites it at every start');
      });
      it('takes none of the names that all have', () =>
        assert.deepEqual(
          Object.keys(script.options).filter((option) => Object.hasOwn(COMMON, option)),
          [],
        ));
      it('has its part of docs/runbook.md, with each variable, and what it is when it is not given', () => {
        assert.notEqual(partOf(name), '', `docs/runbook.md has no part "## ${name}.js"`);
        for (const option of Object.keys(script.options)) {
          const row = rowOf(name, option);
          assert.notEqual(row, '', `docs/runbook.md has no row for ${variableOf(option)}`);
          const usual = usualOf(name, option);
          assert.ok(usual === null || row.includes(usual), `${option}: not ${usual}, but ${row}`);
        }
      });
    });
  }
});
