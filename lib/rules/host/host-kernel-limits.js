'use strict';

const { count } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { setSysctl } = require('../fixes');

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
    'Beside the limits of the process the kernel has some for all together. Each connection ' +
    'takes a thread and a file; when one of these is used up, nothing on the host can start a ' +
    'thread or open a file.',
  needs: ['sysctl.fileMax', 'sysctl.pidMax', 'sysctl.threadsMax'],
  evidence: ['sysctl.fileMax', 'sysctl.pidMax', 'sysctl.threadsMax'],
  threshold:
    `Information when fs.file-max is below ${count(FILES)}, kernel.pid_max below ` +
    `${count(PIDS)} or kernel.threads-max below ${count(THREADS)}.`,
  source: 'MongoDB manual, operations checklist',
  advice: 'Raise what is below.',
  whenNot:
    'Where connections are limited to some thousands: kernel.pid_max is 32,768 by default on ' +
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
      `The host may have ${files >= ANY ? 'any number of' : count(files)} open files and ` +
      `${count(Math.min(pids, threads))} threads.`,
    low: ({ low }) =>
      'Low for many connections: ' +
      `${low.map(({ name, value, min }) => `${name} is ${count(value)} (${count(min)} advised)`).join(', ')}.`,
  },
  adviceFor: {
    low: ({ low }) => `Raise ${low.map(({ name, min }) => `${name} to ${count(min)}`).join(', ')}.`,
  },
});
