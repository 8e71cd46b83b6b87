'use strict';

const { percent, bytes } = require('../../base/pure/units');
const { defineRule, defineHostRule, joinSources } = require('../rule');
const {
  NEEDS,
  WANTS,
  THRESHOLD,
  onZfs,
  judgeDirtyLimits,
  MESSAGES,
  ADVICE_FOR,
} = require('../dirty-limits');
const { whole } = require('../../signals/words');
const {
  MIN_STALL,
  isByWriteback,
  writebackRemedy,
  USUAL,
  FOR_SLOW,
} = require('../../signals/stalls');

const TEXTS = Object.freeze({
  id: 'kernel-writeback',
  aliases: ['dirty-writeback'],
  area: /** @type {const} */ ('disk'),
  title: 'Stalls caused by kernel writeback bursts',
  why:
    'What mongod writes goes to the page cache first. The kernel starts to write it at one limit ' +
    'and stops every writer at a second one; by default both are a share of memory, so that on a ' +
    'large host gigabytes of dirty page cache accumulate and are then written in one wave. A sync ' +
    'of the journal waits behind that, and with it every journalled write, and so do checkpoints. ' +
    'The slower the disk, the longer.',
  threshold:
    `tune.advise: the server stalled for ${whole(MIN_STALL)} of the time or more, and for most of ` +
    'that the dirty page cache fell by half or more: warning; for less of it: information. ' +
    `tune.host: ${THRESHOLD}`,
  source:
    'docs/evidence/stalls.md; kernel documentation, admin-guide/sysctl/vm.rst ' +
    '(vm.dirty_background_bytes), admin-guide/cgroup-v2.rst (a group has its share of the limits)',
  advice:
    `Let the kernel begin earlier: vm.dirty_background_bytes of ${bytes(USUAL.background)} and ` +
    `vm.dirty_bytes of ${bytes(USUAL.limit)}; on a slow disk less, down to ` +
    `${bytes(FOR_SLOW.background)} and ${bytes(FOR_SLOW.limit)}.`,
  whenNot:
    'In a container the machine below has to be set. On a host that mostly does something else ' +
    'with large sequential writes, and where no stalls are seen. It does not make the disk ' +
    'faster: where it is at its limit all the time, less must be written. A very fast disk gains ' +
    'little. Reads are not affected, nor is ZFS (zfs_dirty_data_max).',
  speaksFor: /** @type {const} */ (['disk', 'checkpoint']),
});

/** The window shows stalls, and whether the dirty page cache fell meanwhile. */
const window = defineRule({
  ...TEXTS,
  needs: ['stalls.share'],
  wants: ['stalls.inWritebackRatio', 'writeback.dirtyPageBytesMax', 'disk.writtenBytesPerSecMax'],
  evidence: ['stalls.share', 'stalls.inWritebackRatio', 'writeback.dirtyPageBytesMax'],
  check(metrics) {
    const {
      'stalls.share': stalledShare,
      'stalls.inWritebackRatio': inWritebackRatio = null,
      'writeback.dirtyPageBytesMax': dirtyBytesMax = null,
    } = metrics;
    const [remedy] = writebackRemedy(metrics);
    const values = { stalledShare, inWritebackRatio, dirtyBytesMax, remedy };
    if (stalledShare < MIN_STALL) return { status: 'ok', code: 'fine', values };
    if (inWritebackRatio === null) return { status: 'info', code: 'cause-not-known', values };
    if (inWritebackRatio === 0) return { status: 'ok', code: 'other-cause', values };
    return isByWriteback(metrics)
      ? { status: 'warning', code: 'by-writeback', values }
      : { status: 'info', code: 'partly-by-writeback', values };
  },
  messages: {
    fine: (values) =>
      `${stalled(values)}` +
      (values.dirtyBytesMax === null
        ? '.'
        : `; at most ${bytes(values.dirtyBytesMax)} were not yet written to disk.`),
    'cause-not-known': (values) =>
      `${stalled(values)}; whether the kernel wrote back meanwhile is not known.`,
    'other-cause': (values) => `${stalled(values)}, and the kernel's writeback was not why.`,
    'partly-by-writeback': (values) => `${stalled(values)}, ${inWriteback(values)}.`,
    'by-writeback': (values) => `${stalled(values)}, ${inWriteback(values)}.`,
  },
  adviceFor: { 'by-writeback': ({ remedy }) => remedy },
});

/** For how long the server stalled. @param {{ stalledShare: number }} values */
const stalled = ({ stalledShare }) => `The server stalled for ${percent(stalledShare)} of the time`;

/** How much of that fell into writeback. @param {{ inWritebackRatio: number | null }} values */
const inWriteback = ({ inWritebackRatio }) =>
  `${percent(inWritebackRatio)} of that while the kernel wrote back`;

/** The host shows the limits, and how fast its disk writes. */
const host = defineHostRule({
  ...TEXTS,
  alongside: ['disk', 'checkpoint'],
  needs: NEEDS,
  wants: WANTS,
  aside: onZfs,
  check: judgeDirtyLimits,
  messages: MESSAGES,
  adviceFor: ADVICE_FOR,
});

module.exports = joinSources(window, host);
