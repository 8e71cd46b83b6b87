'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { FAULTS, patchesOf } = require('../simulation/faults');
const { makeSlot } = require('../simulation/load');

const LIB = path.join(__dirname, '../../lib');
const LOADED = Object.freeze([
  ...['run', 'cutover', 'rollback', 'abort', 'finish', 'resume', 'verify', 'status'].map(
    (verb) => `commands/split-${verb}.js`,
  ),
  'split/resume.js',
]);

/** A patch that finds nothing to change throws. */
describe('each fault that the simulation is to find', () => {
  for (const name of Object.keys(FAULTS))
    it(`${name} can be put into the code of today`, () => {
      const patches = patchesOf(name).faulty;
      for (const { file } of patches)
        assert.ok(fs.existsSync(path.join(LIB, file)), `there is no lib/${file}`);
      const slot = makeSlot(patches);
      for (const file of LOADED) slot.load(file);
    });
});
