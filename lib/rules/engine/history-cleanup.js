'use strict';

const { bytes, count, GiB } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { sources, statistic } = require('../sources');

// Pages; fewer say nothing. Heuristic.
const MIN_VISITED = 1000;
// Below it a history store that stays is small; heuristic.
const LARGE_BYTES = GiB;

module.exports = defineRule({
  id: 'history-cleanup',
  area: 'history',
  title: 'Cleanup of the history store removes nothing',
  why:
    'After a checkpoint WiredTiger walks the history store and removes what no snapshot needs any ' +
    'more. Where it visits pages and removes none, something still needs them, and the file stays large.',
  needs: ['history.cleanupVisited', 'history.cleanupRemoved'],
  wants: ['history.diskBytes', 'history.grownBytes'],
  evidence: ['history.cleanupVisited', 'history.cleanupRemoved', 'history.diskBytes'],
  threshold:
    `Information: at least ${count(MIN_VISITED)} pages visited and none removed, while the history ` +
    `store has ${bytes(LARGE_BYTES)} or more and did not shrink.`,
  source: sources(
    statistic('pages removed during checkpoint cleanup'),
    'the thresholds are heuristics',
  ),
  advice:
    'Find what pins history: pinned-timestamps, pinned-ids, a member that lags, a backup cursor.',
  whenNot: 'While no pages are visited, nothing can be said: cleanup runs every few minutes.',
  speaksFor: ['history'],
  check({
    'history.cleanupVisited': visited,
    'history.cleanupRemoved': removed,
    'history.diskBytes': diskBytes = 0,
    'history.grownBytes': grownBytes = 0,
  }) {
    const values = { visited, removed, diskBytes };
    return visited >= MIN_VISITED && removed === 0 && diskBytes >= LARGE_BYTES && grownBytes >= 0
      ? { status: 'info', code: 'nothing-removed', values }
      : { status: 'ok', code: 'fine', values };
  },
  messages: {
    fine: (values) => `${pages(values)}.`,
    'nothing-removed': (values) =>
      `${pages(values)}, and the history store has ${bytes(values.diskBytes)} on disk.`,
  },
  adviceFor: {
    'nothing-removed': () =>
      'Find what pins history: pinned-timestamps, pinned-ids, a member that lags, a backup cursor.',
  },
});

/** @param {{ visited: number, removed: number }} values */
const pages = ({ visited, removed }) =>
  `Cleanup visited ${count(visited)} pages of history and removed ${count(removed)}`;
