'use strict';

const { GiB, MiB, bytes, percent, shortPercent } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { sources, manual, parameter } = require('../sources');

// Below this the server itself ends index builds (indexBuildMinAvailableDiskSpaceMB).
const MIN_BYTES = 500 * MiB;
// Atlas warns when 90% of the disk are in use.
const LOW_RATIO = 0.1;
// A tenth of a very large disk is still plenty; heuristic.
const PLENTY_BYTES = 50 * GiB;

module.exports = defineHostRule({
  id: 'host-disk-space',
  title: 'Little free disk space',
  why:
    'A checkpoint writes new blocks before it frees old ones, and the history store and the ' +
    'journal can grow. mongod stops when a write finds no free disk space.',
  needs: ['files.freeBytes', 'files.totalBytes', 'files.mountPoint'],
  evidence: ['files.freeBytes', 'files.totalBytes'],
  threshold:
    `Critical: less than ${bytes(MIN_BYTES)} free. Warning: less than ${shortPercent(LOW_RATIO)} and ` +
    `less than ${bytes(PLENTY_BYTES)}.`,
  source: sources(
    parameter('indexBuildMinAvailableDiskSpaceMB'),
    manual('Atlas alert conditions: disk space used 90%', 'atlas/reference/alert-conditions/'),
  ),
  advice:
    'Free space or enlarge the disk before it is full: drop unused data, then compact, or add ' +
    'a shard.',
  whenNot:
    'Not if the data does not grow. Thin volumes and shared pools can have less space than the ' +
    'file system shows.',
  check({
    'files.freeBytes': freeBytes,
    'files.totalBytes': totalBytes,
    'files.mountPoint': mountPoint,
  }) {
    const values = { mountPoint, freeBytes, totalBytes };
    if (freeBytes < MIN_BYTES) return { status: 'critical', code: 'full', values };
    return freeBytes < PLENTY_BYTES && freeBytes < LOW_RATIO * totalBytes
      ? { status: 'warning', code: 'low', values }
      : { status: 'ok', code: 'fine', values };
  },
  messages: {
    fine: (values) => `${free(values)}.`,
    low: (values) => `${free(values)}.`,
    full: (values) =>
      `${free(values)}: index builds fail, and mongod stops when a write finds no free space.`,
  },
});

/** @param {{ mountPoint: string, freeBytes: number, totalBytes: number }} values what is free */
const free = ({ mountPoint, freeBytes, totalBytes }) =>
  `${bytes(freeBytes)} of ${bytes(totalBytes)} free on ${mountPoint} ` +
  `(${percent(freeBytes / totalBytes)})`;
