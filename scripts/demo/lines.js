'use strict';

/**
 * What a person would type, line by line, with what to say before it. Each is shown, run in the real shell, and its value printed.
 * @type {readonly { say: string, type: string }[]}
 */
const STEPS = [
  { say: 'Look at the server.', type: 'before = tune.status({ seconds: 4 })' },
  { say: 'Ask what holds it back (12 seconds of looking).', type: 'advice = tune.advise({ seconds: 12 })' },
  { say: 'See what would be sent. Nothing is changed yet.', type: 'tune.apply(advice)' },
  { say: 'Change it, live. What was sent is in the journal before the server is asked.', type: 'tune.apply(advice, { confirm: true })' },
  { say: 'Look again.', type: 'after = tune.status({ seconds: 6 })' },
  { say: 'What has changed for the clients?', type: '({ waitedBefore: before.clients.waitingForCache + before.clients.evicting, waitAfter: after.clients.waitingForCache + after.clients.evicting, writesPerSecBefore: Math.round(before.ops.writesPerSec), writesPerSecAfter: Math.round(after.ops.writesPerSec) })' },
  { say: 'And back to where we came from.', type: 'tune.undo({ confirm: true })' },
  { say: 'What was done here, and when.', type: 'tune.history()' },
];

const quoted = (/** @type {string} */ text) => JSON.stringify(text);

const LINES = STEPS.flatMap(({ say, type }) => [`print(${quoted(`\n// ${say}\ntune> ${type}`)})`, `print(${type})`]);

module.exports = { LINES };
