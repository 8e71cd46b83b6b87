'use strict';

const { percent, bytes, shortPercent } = require('../../base/pure/units');
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
const {
  MIN_STALL,
  isByWriteback,
  writebackRemedy,
  USUAL,
  FOR_SLOW,
} = require('../../signals/stalls');
const { sources, kernel, measured } = require('../sources');

const TEXTS = Object.freeze({
  id: 'kernel-writeback',
  aliases: ['dirty-writeback'],
  area: /** @type {const} */ ('disk'),
  title: 'Stalls caused by kernel writeback bursts',
  why:
    'mongod writes to the page cache first. The kernel starts writeback at one limit and ' +
    'blocks all writers at a second one. By default both are percentages of RAM: on a large ' +
    'host, GiB of dirty page cache accumulate and are written in one burst. Journal syncs and ' +
    'checkpoints then wait.',
  threshold:
    `tune.advise: warning if the server stalled ${shortPercent(MIN_STALL)} of the time or more, and ` +
    'the dirty page cache fell by half during most of it. Information if during less of it. ' +
    `tune.host: ${THRESHOLD}`,
  source: sources(
    measured('stalls'),
    kernel('vm.dirty_background_bytes', 'admin-guide/sysctl/vm'),
    kernel('cgroup v2, Writeback (a group has its share of the limits)', 'admin-guide/cgroup-v2'),
  ),
  advice:
    `Start writeback earlier: vm.dirty_background_bytes of ${bytes(USUAL.background)} and ` +
    `vm.dirty_bytes of ${bytes(USUAL.limit)}. On a slow disk use less, down to ` +
    `${bytes(FOR_SLOW.background)} and ${bytes(FOR_SLOW.limit)}.`,
  whenNot:
    'Not on a host that mainly does large sequential writes, and not without stalls. In a ' +
    'container, set it on the host. It does not help a disk that is always at its limit: ' +
    'reduce writes. Reads and ZFS (zfs_dirty_data_max) are not affected.',
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
        : ` (max ${bytes(values.dirtyBytesMax)} of dirty page cache).`),
    'cause-not-known': (values) =>
      `${stalled(values)}. Whether kernel writeback caused it is not known.`,
    'other-cause': (values) => `${stalled(values)}, not because of kernel writeback.`,
    'partly-by-writeback': (values) => `${stalled(values)}, ${inWriteback(values)}.`,
    'by-writeback': (values) => `${stalled(values)}, ${inWriteback(values)}.`,
  },
  adviceFor: { 'by-writeback': ({ remedy }) => remedy },
});

/** @param {{ stalledShare: number }} values */
const stalled = ({ stalledShare }) =>
  stalledShare === 0
    ? 'The server did not stall'
    : `The server stalled for ${percent(stalledShare)} of the time`;

/** @param {{ inWritebackRatio: number | null }} values */
const inWriteback = ({ inWritebackRatio }) =>
  `${percent(inWritebackRatio)} of that during kernel writeback`;

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
