'use strict';

/** Who chooses: each has a stream of choices of its own (random.js). */
const STREAMS = Object.freeze({
  schedule: 1,
  writers: 20,
  nature: 40,
  pauses: 41,
  ends: 42,
  builds: 43,
  ids: 400,
  links: 100,
  fates: 200,
  actions: 300,
  heirs: 70,
  foreign: 71,
  waits: 72,
  directed: 73,
});

module.exports = { STREAMS };
