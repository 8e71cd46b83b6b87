'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { Linter } = require('eslint');
const { FAULTS, patchesOf } = require('../simulation/faults');
const { makeSlot } = require('../simulation/load');

const LIB = path.join(__dirname, '../../lib');
const LOADED = Object.freeze([
  ...['run', 'cutover', 'rollback', 'abort', 'finish', 'resume', 'verify', 'status'].map(
    (verb) => `commands/split-${verb}.js`,
  ),
  'split/resume.js',
]);

const NODE = Object.fromEntries(
  [...Object.getOwnPropertyNames(globalThis), 'require', 'module'].map((name) => [
    name,
    'readonly',
  ]),
);

/** @param {string} source @returns {string[]} names that it does not know: it would die of them at work */
const undefinedIn = (source) =>
  new Linter({ configType: 'flat' })
    .verify(source, [
      {
        languageOptions: { sourceType: 'commonjs', globals: NODE },
        rules: { 'no-undef': 'error' },
      },
    ])
    .map(({ message }) => message);

/** A patch that finds nothing to change throws. */
describe('each fault that the simulation is to find', () => {
  for (const name of Object.keys(FAULTS))
    it(`${name} can be put into the code of today`, () => {
      const patches = patchesOf(name).faulty;
      for (const { file, text } of patches) {
        const from = path.join(LIB, file);
        assert.ok(fs.existsSync(from), `there is no lib/${file}`);
        if (text) assert.deepEqual(undefinedIn(text(file, fs.readFileSync(from, 'utf8'))), []);
      }
      const slot = makeSlot(patches);
      for (const file of LOADED) slot.load(file);
    });
});
