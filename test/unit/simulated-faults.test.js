'use strict';

const { FAULTS, patchesOf } = require('../simulation/faults');
const { makeSlot } = require('../simulation/load');

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
      const slot = makeSlot(patchesOf(name).faulty);
      for (const file of LOADED) slot.load(file);
    });
});
