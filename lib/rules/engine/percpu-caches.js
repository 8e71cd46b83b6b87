'use strict';

const { percent } = require('../../base/pure/units');
const { defineRule } = require('../define-rule');
const { whole } = require('../../signals/words');
const { BUSY_RATIO } = require('../../signals/cpus');

module.exports = defineRule({
  id: 'percpu-caches',
  area: 'memory',
  title: 'Whether the allocator keeps a cache for each processor',
  why:
    'Since 8.0 mongod brings an allocator that keeps free memory by processor instead of by ' +
    'thread, with less locking and less waste. It falls back without a word where something ' +
    'else, mostly the C library, has registered for restartable sequences first.',
  needs: ['tcmalloc.perCpuCaches'],
  wants: ['process.cpuRatio'],
  threshold:
    `Off: information; warning when mongod keeps ${whole(BUSY_RATIO)} of the processors busy. ` +
    'Servers before 8.0 do not tell.',
  source: 'MongoDB manual, TCMalloc performance (usingPerCPUCaches)',
  advice:
    'Start mongod with GLIBC_TUNABLES=glibc.pthread.rseq=0 in its environment (the official ' +
    'container images have it; look into service files and scripts of your own), and leave ' +
    'transparent huge pages on from 8.0 on.',
  whenNot:
    'Not worth a restart of its own while processors are idle. Other settings of the ' +
    'allocator did not help where they were measured (IBM-Z).',
  check({ 'tcmalloc.perCpuCaches': on, 'process.cpuRatio': cpu }) {
    const evidence = { 'tcmalloc.perCpuCaches': on > 0, 'process.cpuRatio': cpu ?? null };
    if (on > 0)
      return { status: 'ok', say: 'The allocator keeps a cache for each processor.', evidence };
    const say = 'The allocator keeps no cache for each processor';
    if (cpu !== undefined && cpu >= BUSY_RATIO)
      return {
        status: 'warning',
        say: `${say}, and mongod keeps ${percent(cpu)} of the processors busy.`,
        evidence,
      };
    return { status: 'info', say: `${say}.`, evidence };
  },
});
