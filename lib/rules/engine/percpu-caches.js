'use strict';

const { percent, shortPercent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { BUSY_RATIO } = require('../../signals/cpus');
const { sources, manual } = require('../sources');

module.exports = defineRule({
  id: 'percpu-caches',
  area: 'memory',
  title: 'No per-CPU caches in the allocator',
  why:
    'Since 8.0 the allocator of mongod keeps free memory per CPU instead of per thread: less ' +
    'locking, less waste. If another library (mostly the C library) registers restartable ' +
    'sequences first, it silently falls back to per-thread caches.',
  needs: ['tcmalloc.perCpuCaches'],
  wants: ['process.cpuRatio'],
  threshold:
    `Information: off. Warning: off, while mongod keeps ${shortPercent(BUSY_RATIO)} of the CPUs busy. ` +
    'Servers before 8.0 do not report it.',
  source: sources(manual('TCMalloc performance', 'manual/administration/tcmalloc-performance/')),
  advice:
    'Start mongod with GLIBC_TUNABLES=glibc.pthread.rseq=0 in its environment, but never on Linux ' +
    '6.19 to 7.0.13 (host-kernel-release). Official container images have it; check your own ' +
    'service files. Keep transparent huge pages enabled from 8.0 on.',
  whenNot:
    'Not worth a restart while CPUs are idle. Other allocator settings did not help in the one ' +
    'published test.',
  check({ 'tcmalloc.perCpuCaches': caches, 'process.cpuRatio': cpuRatio = null }) {
    const evidence = { 'tcmalloc.perCpuCaches': caches > 0, 'process.cpuRatio': cpuRatio };
    const values = { cpuRatio };
    if (caches > 0) return { status: 'ok', code: 'on', values, evidence };
    return cpuRatio !== null && cpuRatio >= BUSY_RATIO
      ? { status: 'warning', code: 'off-on-busy-cpus', values, evidence }
      : { status: 'info', code: 'off', values, evidence };
  },
  messages: {
    on: () => 'The allocator uses per-CPU caches.',
    off: () => 'The allocator does not use per-CPU caches.',
    'off-on-busy-cpus': ({ cpuRatio }) =>
      `The allocator does not use per-CPU caches, and mongod keeps ${percent(cpuRatio)} of the ` +
      'CPUs busy.',
  },
});
