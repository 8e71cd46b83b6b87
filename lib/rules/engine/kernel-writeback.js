'use strict';

const { percent, bytes } = require('../../base/pure/units');
const { defineRule } = require('../define-rule');
const { whole } = require('../../signals/words');
const { MIN_STALL } = require('../../signals/stalls');
const { isByWriteback, writebackRemedy } = require('../../signals/writeback');

module.exports = defineRule({
  id: 'kernel-writeback',
  area: 'disk',
  title: "Whether standstills are the kernel's writeback",
  why:
    'Linux lets written data pile up, by default to 10 % of memory or for 30 s, and then ' +
    'writes all of it. A sync of the journal waits behind that, and with it every journalled write.',
  needs: ['stalls.share'],
  wants: ['stalls.inWritebackRatio', 'writeback.dirtyPageBytesMax', 'disk.writtenBytesPerSecMax'],
  threshold:
    `The server stood still for ${whole(MIN_STALL)} of the time or more, and for most of ` +
    'that the data not yet written fell by half or more: warning; for less of it: information.',
  source:
    "docs/evidence/stalls.md; vm.dirty_background_bytes in the kernel's " +
    'Documentation/admin-guide/sysctl/vm.rst; IBM-Z (64 and 512 MiB)',
  advice: 'Let the kernel begin earlier: vm.dirty_background_bytes and vm.dirty_bytes.',
  whenNot:
    'In a container the machine below has to be set. It does not make the disk faster: where ' +
    'it is at its limit all the time, less must be written.',
  speaksFor: ['disk', 'checkpoint'],
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
