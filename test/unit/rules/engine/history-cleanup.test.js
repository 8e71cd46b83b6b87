'use strict';

const { testRule } = require('../../../support/rule-tester');

const GiB = 2 ** 30;
const cleanup = (visited, removed, diskBytes = 2 * GiB, grownBytes = 0) => ({
  'history.cleanupVisited': visited,
  'history.cleanupRemoved': removed,
  'history.diskBytes': diskBytes,
  'history.grownBytes': grownBytes,
});

testRule(__filename, [
  ['nothing visited', cleanup(0, 0), 'ok', 'fine', { visited: 0 }],
  ['few visited', cleanup(999, 0), 'ok', 'fine'],
  ['a page removed', cleanup(1000, 1), 'ok', 'fine', { removed: 1 }],
  ['none removed', cleanup(1000, 0), 'info', 'nothing-removed', { diskBytes: 2 * GiB }],
  ['a small store', cleanup(1000, 0, GiB - 1), 'ok', 'fine'],
  ['a large one', cleanup(1000, 0, GiB), 'info', 'nothing-removed'],
  ['one that shrinks', cleanup(1000, 0, GiB, -1), 'ok', 'fine'],
]);
