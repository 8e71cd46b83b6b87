'use strict';

const { percent, many, shortPercent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { BUSY_CPU_RATIO } = require('../../signals/eviction-threads');
const { sources, ticket, measured, S390X, OPPO } = require('../sources');

// mongod starts 4 of them on every machine, however few CPUs it has.
const DEFAULT = 4;

module.exports = defineRule({
  id: 'eviction-thread-count',
  area: 'eviction',
  title: 'More eviction threads than CPUs',
  why:
    'The default is 4 threads; published tests used 8 to 12, and 16 on 24 CPUs. More threads ' +
    'help only with an idle CPU for each, a disk that can take their writes, and application ' +
    'threads that evict. Otherwise they compete.',
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
    `Healthy: up to the number of CPUs, or the default of ${DEFAULT}. Information: more. ` +
    `Warning: more, while mongod keeps above ${shortPercent(BUSY_CPU_RATIO)} of the CPUs busy.`,
  source: sources(
    S390X,
    OPPO,
    ticket('SERVER-57181', 'one thread finds the work for all'),
    measured('eviction-threads'),
  ),
  advice:
    'Return to the number of CPUs, or to the default: tune.apply({ evictionThreadsMin: 4, ' +
    'evictionThreadsMax: 4 })',
  whenNot: 'eviction-threads-busy judges whether more threads would help.',
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
      `${number(values)}, and mongod keeps ${percent(values.cpuRatio)} of the CPUs busy.`,
  },
});

/** @param {{ threads: number, cores: number }} values */
const number = ({ threads, cores }) =>
  `Up to ${many(threads, 'eviction thread')} for ${many(cores, 'CPU')}`;
