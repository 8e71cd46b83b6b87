'use strict';

const { KiB, bytes } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { sources, ZFS_TEST } = require('../sources');

// The default of ZFS; 8, 64 and 128 KiB were measured side by side, the default only slightly
// slower.
const LARGEST_RECORD_BYTES = 128 * KiB;
// Sectors of 4 KiB, as all disks of today have them.
const MIN_ASHIFT = 12;

module.exports = defineHostRule({
  id: 'host-zfs-properties',
  title: 'ZFS properties that harm performance',
  why:
    'ZFS reads and writes whole records: a page of some KiB in a 1 MiB record costs 1 MiB. ' +
    'Data is already compressed by WiredTiger. With sync=disabled, a sync confirms data that ' +
    'is only in memory.',
  needs: ['zfs.recordBytes', 'zfs.compression', 'files.device'],
  wants: ['files.type', 'zfs.sync', 'zfs.atime', 'zfs.ashift'],
  evidence: ['zfs.recordBytes', 'zfs.compression', 'zfs.sync', 'zfs.atime', 'zfs.ashift'],
  threshold:
    `Critical: sync=disabled. Warning: recordsize above ${bytes(LARGEST_RECORD_BYTES)}. ` +
    `Information: gzip, atime=on, or an ashift below ${MIN_ASHIFT}.`,
  source: sources(
    ZFS_TEST + ': recordsize 8 to 128 KiB, ashift, compression',
    'zfsprops(7) (https://openzfs.github.io/openzfs-docs/man/master/7/zfsprops.7.html)',
  ),
  advice:
    'Set the properties of the dataset as listed. recordsize applies to new files only: copy ' +
    'the data afterwards.',
  whenNot:
    'Differences between 8 and 128 KiB were small: measure before you copy data. ashift is ' +
    'fixed once a disk is in the pool.',
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
    'not-zfs': ({ type }) => `Not applicable: dbPath is on ${type}, not on ZFS.`,
    fine: ({ dataset, recordBytes, compression }) =>
      `Dataset ${dataset}: recordsize ${bytes(recordBytes)}, compression ${compression}.`,
    'not-as-wanted': (values) =>
      `Dataset ${values.dataset}: ` +
      `${faultsOf(values)
        .map(({ message }) => message(values))
        .join(', ')}.`,
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
    message: () => 'sync=disabled (a power failure loses confirmed writes)',
    advice: ({ dataset }) => `zfs set sync=standard ${dataset}.`,
  },
  {
    property: 'recordsize',
    status: 'warning',
    is: ({ recordBytes }) => recordBytes > LARGEST_RECORD_BYTES,
    message: ({ recordBytes }) =>
      `recordsize ${bytes(recordBytes)} (read and written whole for each page)`,
    advice: ({ dataset, recordBytes }) =>
      `zfs set recordsize=64K ${dataset} (before: ${recordBytes}), then copy the data.`,
  },
  {
    property: 'compression',
    status: 'info',
    is: ({ compression }) => compression.startsWith('gzip'),
    message: ({ compression }) =>
      `compression ${compression} (expensive, and WiredTiger compresses already)`,
    advice: ({ dataset, compression }) =>
      `zfs set compression=lz4 ${dataset} (before: ${compression}).`,
  },
  {
    property: 'atime',
    status: 'info',
    is: ({ atime }) => atime === 'on',
    message: () => 'atime=on (reads cause writes)',
    advice: ({ dataset }) => `zfs set atime=off ${dataset} (before: on).`,
  },
  {
    property: 'ashift',
    status: 'info',
    // 0: ZFS chose by what the disks reported.
    is: ({ ashift }) => ashift !== null && ashift > 0 && ashift < MIN_ASHIFT,
    message: ({ ashift }) => `ashift ${ashift} (current disks write 4 KiB at a time)`,
    advice: () => 'The ashift is set when the pool is created.',
  },
]);

/** Names the properties that should have another value. @param {Properties} set */
const faultsOf = (set) => FAULTS.filter(({ is }) => is(set));
