'use strict';

const { defineHostRule } = require('../rule');
const { setSysctl } = require('../fixes');
const { sources, kernel } = require('../sources');

// vm.overcommit_memory: 0 by rule of thumb, 1 always, 2 never beyond a computed limit.
const STRICT = 2;
const DEFAULT = 0;

module.exports = defineHostRule({
  id: 'host-overcommit',
  title: 'Memory refused by strict overcommit accounting',
  why:
    'With vm.overcommit_memory at 2, the kernel counts reserved memory, not used memory, and ' +
    'refuses more beyond a limit (default: swap plus half of RAM). mongod reserves much more ' +
    'than it uses, so it fails with RAM still free.',
  needs: ['memory.overcommit'],
  evidence: ['memory.overcommit'],
  threshold: `Warning: vm.overcommit_memory is ${STRICT} (mongod warns at start-up as well).`,
  source: sources(
    'mongod start-up check of /proc/sys/vm/overcommit_memory',
    kernel('overcommit accounting', 'mm/overcommit-accounting'),
  ),
  advice:
    `Set vm.overcommit_memory to ${DEFAULT}. From MongoDB 8.0 on the manual requires 1, ` +
    'together with huge pages.',
  whenNot:
    'Not if another service of the host needs strict accounting, and vm.overcommit_ratio ' +
    'leaves enough for mongod.',
  check({ 'memory.overcommit': mode }) {
    const values = { mode };
    if (mode !== STRICT) return { status: 'ok', code: 'fine', values };
    const fixes = [setSysctl('vm.overcommit_memory', DEFAULT, mode)];
    return { status: 'warning', code: 'strict', values, fixes };
  },
  messages: {
    fine: ({ mode }) =>
      `The kernel does not restrict reserved memory (vm.overcommit_memory is ${mode}).`,
    strict: ({ mode }) =>
      `The kernel refuses memory beyond a fixed limit: vm.overcommit_memory is ${mode}.`,
  },
});
