'use strict';

const { defineHostRule } = require('../rule');
const { sources, productionNotes, man } = require('../sources');

/**
 * @typedef {{
 *   option: RegExp, types?: RegExp, status: 'info' | 'warning' | 'critical', because: string,
 *   instead: string
 * }} Harm `types`: where not any
 *   file system has it; the worst comes first
 */

/** @type {readonly Harm[]} */
const HARMS = Object.freeze([
  {
    option: /^(nobarrier|barrier=0)$/,
    status: 'critical',
    because: 'the disk does not flush its cache: a power failure can corrupt confirmed writes',
    instead: 'barriers (the default)',
  },
  {
    option: /^sync$/,
    status: 'warning',
    because: 'every write waits for the disk',
    instead: 'async',
  },
  {
    option: /^data=journal$/,
    types: /^ext[34]$/,
    status: 'warning',
    because: 'everything is written twice',
    instead: 'data=ordered',
  },
  {
    option: /^strictatime$/,
    status: 'warning',
    because: 'every read of a file causes a write',
    instead: 'noatime',
  },
  {
    option: /^data=writeback$/,
    types: /^ext[34]$/,
    status: 'info',
    because:
      'after a crash a file may contain old blocks; WiredTiger detects them by checksum, and ' +
      'gains little',
    instead: 'data=ordered',
  },
  {
    option: /^discard$/,
    status: 'info',
    because:
      'every freed block is sent to the disk at once, which stalls some disks when files are ' +
      'dropped',
    instead: 'nodiscard and fstrim once a week (fstrim.timer)',
  },
]);

module.exports = defineHostRule({
  id: 'host-mount-options',
  title: 'Mount options that harm performance or durability',
  why:
    'Some mount options cause a write for each read, write everything twice, or make a sync ' +
    'unsafe.',
  needs: ['files.options', 'files.type', 'files.mountPoint'],
  threshold: HARMS.map(
    ({ option, status }) =>
      `${option.source.replace(/[\^$()]/g, '').replace('|', ' or ')}: ` +
      `${status === 'info' ? 'information' : status}.`,
  ).join(' '),
  source: sources(
    productionNotes('Kernel and file systems (noatime)'),
    man('ext4', 5),
    man('xfs', 5),
    man('mount', 8),
    man('fstrim', 8),
  ),
  advice: 'Remove the option that the finding names from /etc/fstab, and mount again.',
  whenNot:
    'nobarrier is safe with a battery-backed cache, but gains nothing: XFS removed it in Linux ' +
    '4.19. relatime, the default, is fine.',
  check({ 'files.options': options, 'files.type': type, 'files.mountPoint': mountPoint }) {
    const evidence = { 'files.mountPoint': mountPoint, 'files.options': options.join(',') };
    const harmful = HARMS.flatMap(({ option: pattern, types, ...harm }) =>
      options
        .filter((option) => pattern.test(option) && (types?.test(type) ?? true))
        .map((option) => ({ option, ...harm })),
    );
    const values = { mountPoint, harmful };
    return harmful.length === 0
      ? { status: 'ok', code: 'fine', values, evidence }
      : { status: harmful[0].status, code: 'harmful', values, evidence };
  },
  messages: {
    fine: ({ mountPoint }) => `Mount options of ${mountPoint}: none harmful.`,
    harmful: ({ mountPoint, harmful }) =>
      `Mount options of ${mountPoint}: ` +
      `${harmful.map(({ option, because }) => `${option} (${because})`).join(', ')}.`,
  },
  adviceFor: {
    harmful: ({ mountPoint, harmful }) =>
      `Use ${harmful.map(({ instead }) => instead).join(' and ')} instead: in /etc/fstab, then ` +
      `mount -o remount ${mountPoint}, or unmount and mount it if that fails.`,
  },
});
