'use strict';

const { defineHostRule } = require('../rule');

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
    because:
      'the disk is not told to empty its own cache, so that a power failure damages what a ' +
      'sync has confirmed',
    instead: 'barriers (the default)',
  },
  {
    option: /^sync$/,
    status: 'warning',
    because: 'every single write waits for the disk',
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
    because: 'every read of a file writes when it was read',
    instead: 'noatime',
  },
  {
    option: /^data=writeback$/,
    types: /^ext[34]$/,
    status: 'info',
    because:
      'after a crash a file may hold what was at its place before; WiredTiger finds that by ' +
      'its checksums, and gains little, since it syncs itself',
    instead: 'data=ordered',
  },
  {
    option: /^discard$/,
    status: 'info',
    because:
      'every freed block is told to the disk at once, which holds some disks up while files ' +
      'are dropped',
    instead: 'nodiscard and fstrim once a week (fstrim.timer)',
  },
]);

module.exports = defineHostRule({
  id: 'host-mount-options',
  title: 'Mount options that harm performance or durability',
  why:
    'A few options cost a write for each read, write everything twice, or take away what makes ' +
    'a sync safe.',
  needs: ['files.options', 'files.type', 'files.mountPoint'],
  threshold: HARMS.map(
    ({ option, status }) =>
      `${option.source.replace(/[\^$()]/g, '').replace('|', ' or ')}: ` +
      `${status === 'info' ? 'information' : status}.`,
  ).join(' '),
  source: 'MongoDB production notes (noatime); ext4(5) and xfs(5), mount(8), fstrim(8)',
  advice: 'Mount it with other options.',
  whenNot:
    'nobarrier is safe with a cache that a battery keeps alive, and gains nothing there any ' +
    'more: XFS dropped it in Linux 4.19. relatime, the default, costs next to nothing.',
  check({ 'files.options': options, 'files.type': type, 'files.mountPoint': mountPoint }) {
    const evidence = { 'files.mountPoint': mountPoint, 'files.options': options.join(',') };
    const harmful = HARMS.flatMap(({ option: pattern, types, ...harm }) =>
      options
        .filter((one) => pattern.test(one) && (types?.test(type) ?? true))
        .map((option) => ({ option, ...harm })),
    );
    const values = { mountPoint, harmful };
    return harmful.length === 0
      ? { status: 'ok', code: 'fine', values, evidence }
      : { status: harmful[0].status, code: 'harmful', values, evidence };
  },
  messages: {
    fine: ({ mountPoint }) => `Mount point ${mountPoint} has no harmful option.`,
    harmful: ({ mountPoint, harmful }) =>
      `Mount point ${mountPoint} has ` +
      `${harmful.map(({ option, because }) => `${option} (${because})`).join(', and ')}.`,
  },
  adviceFor: {
    harmful: ({ mountPoint, harmful }) =>
      `Use ${harmful.map(({ instead }) => instead).join(' and ')} instead: in /etc/fstab, then ` +
      `mount -o remount ${mountPoint}, or unmount and mount it where that is refused.`,
  },
});
