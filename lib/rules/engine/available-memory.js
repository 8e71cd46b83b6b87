'use strict';

const { bytes, percent } = require('../../base/pure/units');
const { defineRule } = require('../define-rule');
const { whole } = require('../../signals/words');

// The kernel calls memory available that it can give away without swapping. Below this share it
// begins to, or ends a process. Ours.
const MIN_RATIO = 0.05;

module.exports = defineRule({
  id: 'available-memory',
  area: 'machine',
  title: 'How much memory the machine has left',
  why:
    'The cache is only a part of what mongod takes: connections, sorts and index builds come ' +
    'on top. When nothing is available the kernel swaps, or ends the largest process, and that ' +
    'is mongod.',
  needs: ['memory.availableBytes', 'memory.totalBytes'],
  limits: { minRatio: MIN_RATIO },
  threshold: `Less than ${whole(MIN_RATIO)} of the machine's memory is available: warning.`,
  source: 'proc(5), MemAvailable; the share is ours',
  advice: 'Make the cache smaller, or find what else takes memory. Do not make the cache larger.',
  whenNot:
    'It is the memory of the whole machine: a container may reach its own limit with plenty ' +
    'left here.',
  check({ 'memory.availableBytes': available, 'memory.totalBytes': all }, { minRatio }) {
    const evidence = { 'memory.availableBytes': available, 'memory.totalBytes': all };
    return {
      status: available < all * minRatio ? 'warning' : 'ok',
      say:
        `${bytes(available)} of ${bytes(all)} of memory are available, ` +
        `${percent(available / all)}.`,
      evidence,
    };
  },
});
