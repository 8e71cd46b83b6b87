'use strict';

/**
 * What a person would type, line by line, with what to say before it. Each is shown, run in the
 * real shell, and its value printed.
 * @type {readonly { say: string, type: string, printsItself?: true }[]}
 */
const STEPS = [
  { say: 'Sample the server.', type: 'before = tune.status({ seconds: 3 })' },
  { say: 'Diagnose it: 10 seconds of samples.', type: 'advice = tune.advise({ seconds: 10 })' },
  { say: 'A dry run. Nothing is sent yet.', type: 'tune.apply(advice)' },
  {
    say: 'Apply it, live. The journal has the change before the server gets it.',
    type: 'tune.apply(advice, { confirm: true })',
  },
  { say: 'Sample again.', type: 'after = tune.status({ seconds: 5 })' },
  {
    say: 'Before and after: application threads blocked by the cache, and writes per second.',
    printsItself: true,
    type:
      'console.table([before, after].map(({ clients, ops }) => ({ ...clients, writesPerSec: ' +
      'ops.writesPerSec })))',
  },
  { say: 'Undo it.', type: 'tune.undo({ confirm: true })' },
  { say: 'List the changes made with tune.', type: 'tune.history()' },
];

const quoted = (/** @type {string} */ text) => JSON.stringify(text);

const LINES = STEPS.flatMap(({ say, type, printsItself }) => [
  `print(${quoted(`\n// ${say}\ntune> ${type}`)})`,
  printsItself ? type : `print(${type})`,
]);

module.exports = { LINES };
