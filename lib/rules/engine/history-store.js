'use strict';

const { GiB, bytes, percent, shortPercent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { LARGE_RATIO } = require('../../signals/history');
const { sources, wiredTiger, measured } = require('../sources');

// A history store larger than this does not come from the default window of 5 minutes on most
// servers; heuristic.
const LARGE_BYTES = 10 * GiB;

module.exports = defineRule({
  id: 'history-store',
  area: 'history',
  title: 'Old versions taking cache and disk space',
  why:
    'Old versions that an open snapshot may need are moved to the history store. It uses the ' +
    'same cache and disk as the data, and reads of older snapshots go through it.',
  needs: ['cache.historyRatio'],
  wants: ['history.diskBytes', 'history.grownBytes', 'transaction.pinnedSeconds'],
  evidence: [
    'cache.historyRatio',
    'history.diskBytes',
    'history.grownBytes',
    'transaction.pinnedSeconds',
  ],
  thresholds: { largeRatio: LARGE_RATIO },
  threshold:
    `Warning: more than ${shortPercent(LARGE_RATIO)} of the cache. Information: more than ` +
    `${bytes(LARGE_BYTES)} on disk and growing.`,
  source: sources(
    wiredTiger('history store', 'arch-hs'),
    measured('pinned-snapshot'),
    'the thresholds are heuristics',
  ),
  advice:
    'End the oldest transaction or cursor (pinned-timestamps), and check that every member ' +
    'keeps up. Lower minSnapshotHistoryWindowInSeconds (default 300) if no client reads at ' +
    'past cluster times.',
  whenNot:
    'Entries alone are normal: a healthy replica set writes some hundreds/s. The file does not ' +
    'shrink when its content is removed: no action needed.',
  speaksFor: ['history'],
  check(
    {
      'cache.historyRatio': cacheRatio,
      'history.diskBytes': diskBytes = null,
      'history.grownBytes': grownBytes = null,
    },
    { largeRatio },
  ) {
    const values = { cacheRatio, diskBytes, grownBytes };
    if (cacheRatio > largeRatio) return { status: 'warning', code: 'large-in-cache', values };
    return diskBytes !== null && diskBytes > LARGE_BYTES && (grownBytes ?? 0) > 0
      ? { status: 'info', code: 'growing-on-disk', values }
      : { status: 'ok', code: 'fine', values };
  },
  messages: {
    fine: (values) => `${size(values)}.`,
    'large-in-cache': (values) => `${size(values)}.`,
    'growing-on-disk': (values) =>
      `${size(values)}, and grew by ${bytes(values.grownBytes)} in this window.`,
  },
  adviceFor: {
    'growing-on-disk': () =>
      'Check pinned-timestamps: an old timestamp may keep old versions from being removed.',
  },
});

/** @param {{ cacheRatio: number, diskBytes: number | null }} values how much old versions take */
const size = ({ cacheRatio, diskBytes }) =>
  `The history store uses ${percent(cacheRatio)} of the cache` +
  `${diskBytes === null ? '' : ` and ${bytes(diskBytes)} on disk`}`;
