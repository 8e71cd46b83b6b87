'use strict';

/**
 * What a person would type, line by line, with what to say before it. Each is shown, run in the
 * real shell, and its value printed.
 * @type {readonly { say: string, type: string, printsItself?: true }[]}
 */
const STEPS = [
  { say: 'Look at the server.', type: 'before = tune.status({ seconds: 3 })' },
  {
    say: 'Ask what holds it back (10 seconds of looking).',
    type: 'advice = tune.advise({ seconds: 10 })',
  },
  { say: 'See what would be sent. Nothing is changed yet.', type: 'tune.apply(advice)' },
  {
    say: 'Change it, live. What is sent is in the journal before the server is asked.',
    type: 'tune.apply(advice, { confirm: true })',
  },
  { say: 'Look again.', type: 'after = tune.status({ seconds: 5 })' },
  {
    say: 'Before and after: application threads blocked by the cache, and writes per second.',
    printsItself: true,
    type:
      'console.table([before, after].map(({ clients, ops }) => ({ ...clients, writesPerSec: ' +
      'ops.writesPerSec })))',
  },
  { say: 'And back to where we came from.', type: 'tune.undo({ confirm: true })' },
  { say: 'What was done here, and when.', type: 'tune.history()' },
];

const quoted = (/** @type {string} */ text) => JSON.stringify(text);

const LINES = STEPS.flatMap(({ say, type, printsItself }) => [
  `print(${quoted(`\n// ${say}\ntune> ${type}`)})`,
  printsItself ? type : `print(${type})`,
]);

module.exports = { LINES };
