'use strict';

const { defineHostRule } = require('../rule');
const { setSysctl } = require('../fixes');

// vm.overcommit_memory: 0 by rule of thumb, 1 always, 2 never beyond a computed limit.
const STRICT = 2;
const DEFAULT = 0;

module.exports = defineHostRule({
  id: 'host-overcommit',
  title: 'Free memory refused by the kernel',
  why:
    'With vm.overcommit_memory at 2 the kernel counts what processes have reserved, not what ' +
    'they use, and refuses more beyond a limit: by default swap and half of memory. mongod ' +
    'reserves much more than it uses, so it fails to start threads or ends with memory to spare.',
  needs: ['memory.overcommit'],
  evidence: ['memory.overcommit'],
  threshold: `Warning at ${STRICT}; mongod itself warns of it at its start.`,
  source:
    "mongod's start-up check of /proc/sys/vm/overcommit_memory; kernel documentation, " +
    'mm/overcommit-accounting.rst',
  advice:
    `Set vm.overcommit_memory to ${DEFAULT}. From MongoDB 8.0 on its manual wants 1, beside ` +
    'huge pages.',
  whenNot:
    'Where another service of the host needs strict accounting, and vm.overcommit_ratio ' +
    'leaves enough for mongod.',
  check({ 'memory.overcommit': mode }) {
    const values = { mode };
    if (mode !== STRICT) return { status: 'ok', code: 'fine', values };
    const fixes = [setSysctl('vm.overcommit_memory', DEFAULT, mode)];
    return { status: 'warning', code: 'strict', values, fixes };
  },
  messages: {
    fine: ({ mode }) => `Memory that is free can be had (vm.overcommit_memory is ${mode}).`,
    strict: ({ mode }) =>
      `The kernel refuses memory beyond a computed limit: vm.overcommit_memory is ${mode}.`,
  },
});
