'use strict';

const { percent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { whole, many } = require('../../signals/words');
const { BUSY_CPU_RATIO } = require('../../signals/eviction-threads');

// mongod starts 4 of them on every machine, however few CPUs it has.
const DEFAULT = 4;

module.exports = defineRule({
  id: 'eviction-thread-count',
  area: 'eviction',
  title: 'More eviction threads than CPUs',
  why:
    'Advice on this number differs: 4 is the default, OPPO ran 8 to 12 on large machines, ' +
    'IBM-Z 16 on 24 CPUs. What decides is whether a processor is idle for each, whether ' +
    'the disk takes what they write, and whether application threads evict at all; where one of these ' +
    "fails, more threads only get into each other's way.",
  needs: ['eviction.threadsActive', 'host.cores'],
  wants: ['config.threadsMax', 'process.cpuRatio', 'clients.waitingThreads'],
  evidence: [
    'config.threadsMax',
    'eviction.threadsActive',
    'host.cores',
    'process.cpuRatio',
    'clients.waitingThreads',
  ],
  threshold:
    `Up to the number of CPUs, or the default of ${DEFAULT}: fine. More: information; ` +
    `warning when mongod keeps more than ${whole(BUSY_CPU_RATIO)} of the CPUs busy.`,
  source:
    'IBM-Z step 3 (16 threads, small effect on throughput), OPPO (8 to 12); SERVER-57181 ' +
    '(one thread finds the work for all); docs/evidence/eviction-threads.md',
  advice:
    'Return to as many as there are CPUs, or to the default: tune.apply({ ' +
    'evictionThreadsMin: 4, evictionThreadsMax: 4 })',
  whenNot: 'Whether more would help is another question: see eviction-workers.',
  check({
    'eviction.threadsActive': active,
    'host.cores': cores,
    'config.threadsMax': threadsMax = null,
    'process.cpuRatio': cpuRatio = null,
  }) {
    const values = { threads: threadsMax ?? active, cores, cpuRatio };
    if (values.threads <= Math.max(cores, DEFAULT)) return { status: 'ok', code: 'fine', values };
    return cpuRatio !== null && cpuRatio > BUSY_CPU_RATIO
      ? { status: 'warning', code: 'many-on-busy-cpus', values }
      : { status: 'info', code: 'many', values };
  },
  messages: {
    fine: (values) => `${number(values)}.`,
    many: (values) => `${number(values)}: more than can run at once.`,
    'many-on-busy-cpus': (values) =>
      `${number(values)}, and mongod keeps ${percent(values.cpuRatio)} of them busy.`,
  },
});

/** How many there may be, on what. @param {{ threads: number, cores: number }} values */
const number = ({ threads, cores }) =>
  `There may be ${many(threads, 'eviction thread')} on ${many(cores, 'CPU')}`;
