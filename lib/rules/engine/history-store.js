'use strict';

const { GiB, bytes, percent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { whole } = require('../../signals/words');
const { LARGE_RATIO } = require('../../signals/history');

// A history store larger than this does not come from the default window of 5 minutes on most
// servers; heuristic.
const LARGE_BYTES = 10 * GiB;

module.exports = defineRule({
  id: 'history-store',
  area: 'history',
  title: 'Old versions taking cache and disk space',
  why:
    'Versions that an open snapshot may still ask for are moved to a table of their own, the ' +
    'history store. It lives in the same cache as the data and on the same disk, and every ' +
    'look into the past reads it.',
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
    `More than ${whole(LARGE_RATIO)} of the cache: warning. More than ${bytes(LARGE_BYTES)} on ` +
    'disk and growing: information.',
  source:
    'Experience of MongoDB support (old versions crowd out data; the share is ours); ' +
    'docs/evidence/pinned-snapshot.md',
  advice:
    'End the oldest transaction or cursor (pinned-timestamps), see that every member of the ' +
    'replica set keeps up, and lower minSnapshotHistoryWindowInSeconds (default 300) where ' +
    'nobody reads at past cluster times.',
  whenNot:
    'Entries by themselves are no sign: a healthy replica set writes some hundreds a second. ' +
    'The file does not shrink when its content goes; that needs nothing.',
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
      `${size(values)}, which grew by ${bytes(values.grownBytes)} in the window.`,
  },
  adviceFor: {
    'growing-on-disk': () =>
      'See pinned-timestamps: something may keep old versions from being removed.',
  },
});

/** @param {{ cacheRatio: number, diskBytes: number | null }} values how much old versions take */
const size = ({ cacheRatio, diskBytes }) =>
  `Old versions take ${percent(cacheRatio)} of the ` +
  `cache${diskBytes === null ? '' : ` and ${bytes(diskBytes)} on disk`}`;
