'use strict';

const { readFixture } = require('../samples/fixtures');

/** What stands in place of a host: no reader takes it for a server of theirs. */
const HOST = 'demo-recording:27017';

/**
 * lib/recording/pure/demo-recording.json: the observation of a real server in test/samples/sick.json,
 * under a name that no server has.
 * @returns {string}
 */
function demoRecording() {
  const { facts, samples, machine } = readFixture('sick');
  return `${JSON.stringify({ facts: { ...facts, host: HOST }, notes: [], machine, samples })}\n`;
}

module.exports = { demoRecording };
