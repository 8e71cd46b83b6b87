'use strict';

const { GiB, MiB, bytes, percent } = require('../../base/pure/units');
const { defineHostRule } = require('../define-host-rule');
const { whole } = require('../../signals/words');

// Below it the server ends index builds itself (indexBuildMinAvailableDiskSpaceMB).
const MIN_BYTES = 500 * MiB;
// Atlas warns when 90 % of the disk are in use.
const LOW_RATIO = 0.1;
// A tenth of a very large disk is still plenty; ours.
const PLENTY_BYTES = 50 * GiB;

module.exports = defineHostRule({
  id: 'disk-space',
  area: 'host',
  title: 'Room for the data to grow',
  why:
    'A checkpoint writes new blocks before it frees old ones, and the table of old versions ' +
    'and the journal grow when they have to. When a write finds no room mongod stops.',
  needs: ['files.freeBytes', 'files.totalBytes', 'files.mountPoint'],
  threshold:
    `Less than ${bytes(MIN_BYTES)} free: critical. Less than ${whole(LOW_RATIO)} and than ` +
    `${bytes(PLENTY_BYTES)}: warning.`,
  source:
    'MongoDB manual, indexBuildMinAvailableDiskSpaceMB (500 MB); Atlas, default alert on ' +
    'disk space (90 % used)',
  advice:
    'Make room or enlarge the disk before it is full: drop what is not needed, then compact, ' +
    'or add a shard.',
  whenNot:
    'Where the data does not grow. Thin volumes and shared pools may have less than the file ' +
    'system shows.',
  check({ 'files.freeBytes': free, 'files.totalBytes': total, 'files.mountPoint': mountPoint }) {
    const evidence = { 'files.freeBytes': free, 'files.totalBytes': total };
    const say = `On ${mountPoint} ${bytes(free)} of ${bytes(total)} are free (${percent(free / total)})`;
    if (free < MIN_BYTES)
      return {
        status: 'critical',
        say: `${say}: index builds end, and mongod stops when a write finds no room.`,
        evidence,
      };
    if (free < PLENTY_BYTES && free < LOW_RATIO * total)
      return { status: 'warning', say: `${say}.`, evidence };
    return { status: 'ok', say: `${say}.`, evidence };
  },
});
