'use strict';

const { GiB, MiB, bytes, percent } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { whole } = require('../../signals/words');

// Below it the server ends index builds itself (indexBuildMinAvailableDiskSpaceMB).
const MIN_BYTES = 500 * MiB;
// Atlas warns when 90% of the disk are in use.
const LOW_RATIO = 0.1;
// A tenth of a very large disk is still plenty; heuristic.
const PLENTY_BYTES = 50 * GiB;

module.exports = defineHostRule({
  id: 'host-disk-space',
  title: 'Little free disk space',
  why:
    'A checkpoint writes new blocks before it frees old ones, and the table of old versions ' +
    'and the journal grow when they have to. When a write finds no room mongod stops.',
  needs: ['files.freeBytes', 'files.totalBytes', 'files.mountPoint'],
  evidence: ['files.freeBytes', 'files.totalBytes'],
  threshold:
    `Less than ${bytes(MIN_BYTES)} free: critical. Less than ${whole(LOW_RATIO)} and than ` +
    `${bytes(PLENTY_BYTES)}: warning.`,
  source:
    'MongoDB manual, indexBuildMinAvailableDiskSpaceMB (500 MB); Atlas, default alert on ' +
    'disk space (90% used)',
  advice:
    'Make room or enlarge the disk before it is full: drop what is not needed, then compact, ' +
    'or add a shard.',
  whenNot:
    'Where the data does not grow. Thin volumes and shared pools may have less than the file ' +
    'system shows.',
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
      `${free(values)}: index builds end, and mongod stops when a write finds no room.`,
  },
});

/** @param {{ mountPoint: string, freeBytes: number, totalBytes: number }} values what is free */
const free = ({ mountPoint, freeBytes, totalBytes }) =>
  `On ${mountPoint} ${bytes(freeBytes)} of ${bytes(totalBytes)} are free ` +
  `(${percent(freeBytes / totalBytes)})`;
