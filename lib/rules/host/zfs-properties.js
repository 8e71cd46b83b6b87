'use strict';

const { KiB, bytes } = require('../../base/pure/units');
const { defineHostRule } = require('../define-host-rule');

// The default of ZFS; 8, 64 and 128 KiB were measured side by side, the default only slightly
// slower.
const LARGEST_RECORD_BYTES = 128 * KiB;
// Sectors of 4 KiB, as all disks of today have them.
const MIN_ASHIFT = 12;

module.exports = defineHostRule({
  id: 'zfs-properties',
  area: 'host',
  title: 'How the ZFS dataset under dbPath is set',
  why:
    'ZFS reads and writes whole records: to change a page of some kilobytes in a record of a ' +
    'megabyte it reads and writes the megabyte. What it compresses is compressed by WiredTiger ' +
    'already. With sync=disabled a sync confirms what is in memory only.',
  needs: ['zfs.recordBytes', 'zfs.compression', 'files.device'],
  wants: ['files.type', 'zfs.sync', 'zfs.atime', 'zfs.ashift'],
  threshold:
    `sync=disabled: critical. recordsize above ${bytes(LARGEST_RECORD_BYTES)}: warning. gzip, ` +
    `atime=on and an ashift below ${MIN_ASHIFT}: information.`,
  source:
    'ZFS (recordsize 8K, 64K and 128K, ashift 0, 9 and 12, compression off, lz4 and gzip, ' +
    'ten runs each); zfsprops(7), zpoolprops(7)',
  advice:
    'Set the dataset as said; recordsize holds for files written afterwards, so the data has ' +
    'to be copied.',
  whenNot:
    'Differences between 8 and 128 KiB were small there: measure before the data is copied. ' +
    'ashift is fixed once a disk is in the pool.',
  aside: ({ 'files.type': type = 'zfs' }) =>
    type === 'zfs'
      ? null
      : { status: 'ok', say: `The files of dbPath are on ${type}, not on ZFS.` },
  check({
    'zfs.recordBytes': record,
    'zfs.compression': compression,
    'files.device': dataset,
    'zfs.sync': sync,
    'zfs.atime': atime,
    'zfs.ashift': ashift,
  }) {
    const evidence = {
      'zfs.recordBytes': record,
      'zfs.compression': compression,
      'zfs.sync': sync ?? null,
      'zfs.atime': atime ?? null,
      'zfs.ashift': ashift ?? null,
    };
    const all = [
      ...dangers({ sync, record }, dataset),
      ...costs({ compression, atime, ashift }, dataset),
    ];
    if (all.length === 0)
      return {
        status: 'ok',
        say: `Dataset ${dataset} has records of ${bytes(record)} and compression ${compression}.`,
        evidence,
      };
    return {
      status: all[0].status,
      say: `Dataset ${dataset} has ${all.map(({ say }) => say).join(', and ')}.`,
      evidence,
      advice: all.map(({ advice }) => advice).join(' '),
    };
  },
});

/**
 * @typedef {{ status: 'info' | 'warning' | 'critical', say: string, advice: string }} Fault the
 *   worst first
 */

/**
 * @param {{ sync: string | undefined, record: number }} seen
 * @param {string} dataset
 * @returns {Fault[]}
 */
function dangers({ sync, record }, dataset) {
  /** @type {Fault[]} */
  const all = [];
  if (sync === 'disabled')
    all.push({
      status: 'critical',
      say: 'sync=disabled (a power failure loses what was confirmed)',
      advice: `zfs set sync=standard ${dataset}.`,
    });
  if (record > LARGEST_RECORD_BYTES)
    all.push({
      status: 'warning',
      say: `records of ${bytes(record)}, read and written whole for each page`,
      advice: `zfs set recordsize=64K ${dataset} (back: ${record}), then copy the data.`,
    });
  return all;
}

/**
 * @param {{ compression: string, atime: string | undefined, ashift: number | undefined }} seen
 * @param {string} dataset
 * @returns {Fault[]}
 */
function costs({ compression, atime, ashift }, dataset) {
  /** @type {Fault[]} */
  const all = [];
  if (/^gzip/.test(compression))
    all.push({
      status: 'info',
      say: `compression ${compression} (dear, for what WiredTiger has compressed)`,
      advice: `zfs set compression=lz4 ${dataset} (back: ${compression}).`,
    });
  if (atime === 'on')
    all.push({
      status: 'info',
      say: 'atime=on (reads write)',
      advice: `zfs set atime=off ${dataset} (back: on).`,
    });
  // 0: ZFS chose by what the disks said.
  if (ashift !== undefined && ashift > 0 && ashift < MIN_ASHIFT)
    all.push({
      status: 'info',
      say: `an ashift of ${ashift} (disks of today write 4 KiB at a time)`,
      advice: 'The ashift is chosen when the pool is made.',
    });
  return all;
}
