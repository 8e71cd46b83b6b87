'use strict';

const { duration } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { setSysctl } = require('../fixes');
const { sources, kernel, measured } = require('../sources');

/**
 * @import { HostFix } from '../../base/types'
 */

// The kernel's defaults.
const [EXPIRE_MS, WAKE_MS] = [30_000, 5000];
// Twice the default: what is then written in one wave is a minute's work, the length of a
// checkpoint interval; heuristic.
const [LONGEST_EXPIRE_MS, LONGEST_WAKE_MS] = [60_000, 30_000];
const MS_PER_CENTISECOND = 10;

module.exports = defineHostRule({
  id: 'host-writeback-timing',
  title: 'Dirty page cache kept too long by the kernel',
  why:
    'Besides its limits in bytes, the kernel writes dirty page cache older than ' +
    'vm.dirty_expire_centisecs, and checks every vm.dirty_writeback_centisecs. Much longer ' +
    'times cause bursts, together with the checkpoint; 0 disables the check.',
  needs: ['writeback.expireMs', 'writeback.wakeMs'],
  evidence: ['writeback.expireMs', 'writeback.wakeMs'],
  threshold:
    `Warning: vm.dirty_writeback_centisecs 0. Information: above ${duration(LONGEST_WAKE_MS)}, ` +
    `or vm.dirty_expire_centisecs above ${duration(LONGEST_EXPIRE_MS)}.`,
  source: sources(
    kernel('vm.dirty_expire_centisecs', 'admin-guide/sysctl/vm'),
    measured('stalls') + ': half of the stall came from kernel writeback, not from checkpoints',
  ),
  advice: 'Set both to the kernel defaults.',
  whenNot:
    'With low limits in bytes, those act first and the times hardly matter. On a laptop, long ' +
    'times save power.',
  check({ 'writeback.expireMs': expireMs, 'writeback.wakeMs': wakeMs }) {
    const fixes = [
      ...(wakeMs === 0 || wakeMs > LONGEST_WAKE_MS
        ? [fix('vm.dirty_writeback_centisecs', WAKE_MS, wakeMs)]
        : []),
      ...(expireMs > LONGEST_EXPIRE_MS
        ? [fix('vm.dirty_expire_centisecs', EXPIRE_MS, expireMs)]
        : []),
    ];
    const wanted = fixes.map(({ set }) => `${set.target} to ${set.to}`);
    const values = { expireMs, wakeMs, wanted };
    if (fixes.length === 0) return { status: 'ok', code: 'fine', values };
    return wakeMs === 0
      ? { status: 'warning', code: 'never', values, fixes }
      : { status: 'info', code: 'late', values, fixes };
  },
  messages: {
    fine: (values) => `${every(values)}.`,
    late: (values) => `${every(values)}: then written in one burst.`,
    never: ({ expireMs }) =>
      `The kernel never checks for dirty page cache older than ${duration(expireMs)}: it is ` +
      'then written in one burst.',
  },
  adviceFor: { late: (values) => toDefaults(values), never: (values) => toDefaults(values) },
});

/** Says when the kernel writes old data. @param {{ wakeMs: number, expireMs: number }} values */
const every = ({ wakeMs, expireMs }) =>
  `The kernel checks every ${duration(wakeMs)} for dirty page cache older than ` +
  duration(expireMs);

/** @param {{ wanted: readonly string[] }} values settings and what to set them to */
const toDefaults = ({ wanted }) => `Set ${wanted.join(' and ')} (default).`;

/**
 * @param {string} target
 * @param {number} toMs
 * @param {number} backMs
 * @returns {HostFix}
 */
const fix = (target, toMs, backMs) =>
  setSysctl(target, toMs / MS_PER_CENTISECOND, backMs / MS_PER_CENTISECOND);
