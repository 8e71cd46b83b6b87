'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { variableOf } = require('../../lib/base/environment');
const { COMMON, ABOUT_COMMON } = require('../../lib/shell/script');

/**
 * @import { Script } from '../../lib/shell/script'
 */

const SNIPPETS = path.join(__dirname, '../../snippets');
const namesIn = (/** @type {string} */ folder) =>
  fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => name.slice(0, -3))
    .sort();
const NAMES = namesIn(path.join(SNIPPETS, 'runbook')).filter((name) => name !== 'run');
const PAGE = fs.readFileSync(path.join(__dirname, '../../docs/runbook.md'), 'utf8');
/** The part of the page about one script. @param {string} name */
const partOf = (name) =>
  PAGE.split(/^(?=## )/m).find((part) => part.startsWith(`## ${name}.js\n`)) ?? '';

describe('the runbook', () => {
  it('each script has its file beside the table of commands', () =>
    assert.deepEqual(
      namesIn(SNIPPETS).filter((name) => name !== 'tune'),
      NAMES,
    ));
  it('what all scripts have is on the page', () => {
    assert.deepEqual(Object.keys(ABOUT_COMMON), Object.keys(COMMON));
    for (const name of Object.keys(COMMON))
      assert.ok(PAGE.includes(`\`${variableOf(name)}\``), name);
  });
  it('what must be given is asked for by its variable', () => {
    for (const [name, variable] of [
      ['fleet', 'TUNE_LIST'],
      ['ftdc', 'TUNE_PATH'],
      ['report', 'TUNE_FILE'],
    ]) {
      assert.throws(
        () => require(path.join(SNIPPETS, 'runbook', name)).run({}, {}),
        (/** @type {any} */ error) =>
          error.code === 'TUNE-10004' &&
          error.message.includes(`${name}.js: ${variable} is missing`),
      );
    }
  });
  for (const name of NAMES) {
    describe(name, () => {
      /** @type {Script} */
      const script = require(path.join(SNIPPETS, 'runbook', name));
      it('is what its file calls, in a few lines', () => {
        const text = fs.readFileSync(path.join(SNIPPETS, `${name}.js`), 'utf8');
        assert.ok(text.includes(`('./runbook/run')(globalThis, '${name}')`));
        assert.ok(text.length < 700, 'mongosh rewrites it at every start');
        assert.equal(script.name, name);
      });
      it('says what each option is for, and takes none of the names that all have', () => {
        assert.deepEqual(Object.keys(script.about).sort(), Object.keys(script.options).sort());
        assert.deepEqual(
          Object.keys(script.options).filter((option) => Object.hasOwn(COMMON, option)),
          [],
        );
      });
      it('has its part of docs/runbook.md, with each variable, and what it is when it is not given', () => {
        assert.notEqual(partOf(name), '');
        for (const [option, about] of Object.entries(script.about)) {
          const line =
            partOf(name)
              .split('\n')
              .find((text) => text.split('|')[1]?.includes(`\`${variableOf(option)}\``)) ?? '';
          const [usual] = /\([`\w.]+\)$/.exec(about) ?? [''];
          assert.ok(
            line !== '' && line.includes(usual),
            `${option}: ${about}, but on the page: ${line}`,
          );
        }
      });
    });
  }
});
