'use strict';

const { count } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { setSysctl } = require('../fixes');
const { sources, manual } = require('../sources');

// MongoDB manual, operations checklist: "a good starting point" for large systems.
const FILES = 98_000;
const PIDS = 64_000;
const THREADS = 64_000;
// Since Linux 5.0 some distributions set the largest number there is.
const ANY = 2 ** 53;

module.exports = defineHostRule({
  id: 'host-kernel-limits',
  title: 'Host limits of files and threads too low',
  why:
    'Besides process limits, the kernel has host-wide limits. Each connection needs a thread ' +
    'and a file. When a limit is reached, nothing on the host can start a thread or open a ' +
    'file.',
  needs: ['sysctl.fileMax', 'sysctl.pidMax', 'sysctl.threadsMax'],
  evidence: ['sysctl.fileMax', 'sysctl.pidMax', 'sysctl.threadsMax'],
  threshold:
    `Information: fs.file-max below ${count(FILES)}, kernel.pid_max below ${count(PIDS)}, or ` +
    `kernel.threads-max below ${count(THREADS)}.`,
  source: sources(
    manual('Operations Checklist', 'manual/administration/production-checklist-operations/'),
  ),
  advice: 'Raise the values that are too low.',
  whenNot:
    'Not if connections are limited to some thousands: kernel.pid_max is 32,768 by default on ' +
    'small hosts.',
  check({ 'sysctl.fileMax': files, 'sysctl.pidMax': pids, 'sysctl.threadsMax': threads }) {
    const low = [
      { name: 'fs.file-max', value: files, min: FILES },
      { name: 'kernel.pid_max', value: pids, min: PIDS },
      { name: 'kernel.threads-max', value: threads, min: THREADS },
    ].filter(({ value, min }) => value < min);
    const values = { files, pids, threads, low };
    if (low.length === 0) return { status: 'ok', code: 'fine', values };
    const fixes = low.map(({ name, value, min }) => setSysctl(name, min, value));
    return { status: 'info', code: 'low', values, fixes };
  },
  messages: {
    fine: ({ files, pids, threads }) =>
      `Host limits: ${files >= ANY ? 'unlimited' : count(files)} open files and ` +
      `${count(Math.min(pids, threads))} threads.`,
    low: ({ low }) =>
      'Host limits are low for many connections: ' +
      `${low.map(({ name, value, min }) => `${name} is ${count(value)} (recommended ${count(min)})`).join(', ')}.`,
  },
  adviceFor: {
    low: ({ low }) => `Raise ${low.map(({ name, min }) => `${name} to ${count(min)}`).join(', ')}.`,
  },
});
