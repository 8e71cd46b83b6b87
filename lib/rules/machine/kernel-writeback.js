'use strict';

const { percent, bytes } = require('../../base/pure/units');
const { defineHostRule } = require('../define-host-rule');
const { joinSources } = require('../define-machine-rule');
const { defineRule } = require('../define-rule');
const { NEEDS, WANTS, THRESHOLD, onZfs, judgeDirtyLimits } = require('../dirty-limits');
const { whole } = require('../../signals/words');
const { MIN_STALL } = require('../../signals/stalls');
const { isByWriteback, writebackRemedy, USUAL, FOR_SLOW } = require('../../signals/writeback');

const TEXTS = Object.freeze({
  id: 'kernel-writeback',
  aliases: ['dirty-writeback'],
  area: /** @type {const} */ ('disk'),
  title: "Stalls behind the kernel's writeback",
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
  check(metrics) {
    const {
      'stalls.share': share,
      'stalls.inWritebackRatio': inside,
      'writeback.dirtyPageBytesMax': max,
    } = metrics;
    const evidence = {
      'stalls.share': share,
      'stalls.inWritebackRatio': inside ?? null,
      'writeback.dirtyPageBytesMax': max ?? null,
    };
    const say = `The server stood still for ${percent(share)} of the time`;
    if (share < MIN_STALL)
      return {
        status: 'ok',
        say: `${say}${max === undefined ? '' : `; at most ${bytes(max)} were not yet written to disk`}.`,
        evidence,
      };
    if (inside === undefined)
      return {
        status: 'info',
        say: `${say}; whether the kernel wrote back meanwhile is not known.`,
        evidence,
      };
    if (inside === 0)
      return { status: 'ok', say: `${say}, and the kernel's writeback was not why.`, evidence };
    const seen = `${say}, ${percent(inside)} of that while the kernel wrote back.`;
    return isByWriteback(metrics)
      ? { status: 'warning', say: seen, evidence, advice: writebackRemedy(metrics)[0] }
      : { status: 'info', say: seen, evidence };
  },
});

/** The host shows the limits, and how fast its disk writes. */
const host = defineHostRule({
  ...TEXTS,
  alongside: ['disk', 'checkpoint'],
  needs: NEEDS,
  wants: WANTS,
  aside: onZfs,
  check: judgeDirtyLimits,
});

module.exports = joinSources(window, host);
