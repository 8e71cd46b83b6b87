'use strict';

const { KiB, bytes } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');

// The default of ZFS; 8, 64 and 128 KiB were measured side by side, the default only slightly
// slower.
const LARGEST_RECORD_BYTES = 128 * KiB;
// Sectors of 4 KiB, as all disks of today have them.
const MIN_ASHIFT = 12;

module.exports = defineHostRule({
  id: 'host-zfs-properties',
  title: 'ZFS properties that harm performance',
  why:
    'ZFS reads and writes whole records: to change a page of some kilobytes in a record of a ' +
    'megabyte it reads and writes the megabyte. What it compresses is compressed by WiredTiger ' +
    'already. With sync=disabled a sync confirms what is in memory only.',
  needs: ['zfs.recordBytes', 'zfs.compression', 'files.device'],
  wants: ['files.type', 'zfs.sync', 'zfs.atime', 'zfs.ashift'],
  evidence: ['zfs.recordBytes', 'zfs.compression', 'zfs.sync', 'zfs.atime', 'zfs.ashift'],
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
    type === 'zfs' ? null : { status: 'ok', code: 'not-zfs', values: { type } },
  check({
    'zfs.recordBytes': recordBytes,
    'zfs.compression': compression,
    'files.device': dataset,
    'zfs.sync': sync = null,
    'zfs.atime': atime = null,
    'zfs.ashift': ashift = null,
    'files.type': type = 'zfs',
  }) {
    const properties = { dataset, recordBytes, compression, sync, atime, ashift };
    const faults = faultsOf(properties);
    const values = { type, ...properties, faults: faults.map(({ property }) => property) };
    return faults.length === 0
      ? { status: 'ok', code: 'fine', values }
      : { status: faults[0].status, code: 'not-as-wanted', values };
  },
  messages: {
    'not-zfs': ({ type }) => `The files of dbPath are on ${type}, not on ZFS.`,
    fine: ({ dataset, recordBytes, compression }) =>
      `Dataset ${dataset} has records of ${bytes(recordBytes)} and compression ${compression}.`,
    'not-as-wanted': (values) =>
      `Dataset ${values.dataset} has ` +
      `${faultsOf(values)
        .map(({ message }) => message(values))
        .join(', and ')}.`,
  },
  adviceFor: {
    'not-as-wanted': (values) =>
      faultsOf(values)
        .map(({ advice }) => advice(values))
        .join(' '),
  },
});

/**
 * @typedef {{
 *   dataset: string, recordBytes: number, compression: string, sync: string | null,
 *   atime: string | null, ashift: number | null
 * }} Properties
 * @typedef {{
 *   property: string, status: 'info' | 'warning' | 'critical', is(set: Properties): boolean,
 *   message(set: Properties): string, advice(set: Properties): string
 * }} Fault
 */

/** The worst first. @type {readonly Fault[]} */
const FAULTS = Object.freeze([
  {
    property: 'sync',
    status: 'critical',
    is: ({ sync }) => sync === 'disabled',
    message: () => 'sync=disabled (a power failure loses what was confirmed)',
    advice: ({ dataset }) => `zfs set sync=standard ${dataset}.`,
  },
  {
    property: 'recordsize',
    status: 'warning',
    is: ({ recordBytes }) => recordBytes > LARGEST_RECORD_BYTES,
    message: ({ recordBytes }) =>
      `records of ${bytes(recordBytes)}, read and written whole for each page`,
    advice: ({ dataset, recordBytes }) =>
      `zfs set recordsize=64K ${dataset} (back: ${recordBytes}), then copy the data.`,
  },
  {
    property: 'compression',
    status: 'info',
    is: ({ compression }) => compression.startsWith('gzip'),
    message: ({ compression }) =>
      `compression ${compression} (dear, for what WiredTiger has compressed)`,
    advice: ({ dataset, compression }) =>
      `zfs set compression=lz4 ${dataset} (back: ${compression}).`,
  },
  {
    property: 'atime',
    status: 'info',
    is: ({ atime }) => atime === 'on',
    message: () => 'atime=on (reads write)',
    advice: ({ dataset }) => `zfs set atime=off ${dataset} (back: on).`,
  },
  {
    property: 'ashift',
    status: 'info',
    // 0: ZFS chose by what the disks reported.
    is: ({ ashift }) => ashift !== null && ashift > 0 && ashift < MIN_ASHIFT,
    message: ({ ashift }) => `an ashift of ${ashift} (disks of today write 4 KiB at a time)`,
    advice: () => 'The ashift is chosen when the pool is made.',
  },
]);

/** What is not as it should be. @param {Properties} set */
const faultsOf = (set) => FAULTS.filter(({ is }) => is(set));
