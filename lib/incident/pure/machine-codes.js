'use strict';

const { bytes, count, duration, percent } = require('../../base/pure/units');
const { isKnown, num, name, secs, maybe } = require('./code-words');

/** @import { Code } from './event-codes' */

/**
 * Events of the machine: kernel, disks, memory, and time in which nothing went on.
 * @type {Readonly<Record<string, Code>>}
 */
const MACHINE_CODES = Object.freeze({
  'kernel-oom-kill': {
    kind: 'kernel',
    role: 'trigger',
    weight: 6,
    stage: 0,
    say: (v) =>
      `The kernel killed ${name(v.process)} (process ${name(v.pid)}) because it was out of memory (OOM)` +
      `${maybe(' in control group ', v.cgroup)}` +
      `${isKnown(v.rssBytes) ? `; that process used ${bytes(num(v.rssBytes))}` : ''}.`,
  },
  'kernel-segfault': {
    kind: 'kernel',
    role: 'trigger',
    weight: 5,
    stage: 0,
    say: (v) => `${name(v.process)} (process ${name(v.pid)}) crashed with a segmentation fault.`,
  },
  'kernel-io-error': {
    kind: 'kernel',
    role: 'trigger',
    weight: 5,
    stage: 0,
    say: (v) => `The kernel reported I/O errors of disk ${name(v.device)}.`,
  },
  'kernel-fs-error': {
    kind: 'kernel',
    role: 'trigger',
    weight: 5,
    stage: 0,
    say: (v) => `The kernel reported an error of the file system on ${name(v.device)}.`,
  },
  'kernel-read-only': {
    kind: 'kernel',
    role: 'trigger',
    weight: 5,
    stage: 0,
    say: (v) => `The file system on ${name(v.device)} was made read-only.`,
  },
  'kernel-task-blocked': {
    kind: 'kernel',
    role: 'both',
    weight: 3,
    stage: 1,
    say: (v) => `${name(v.process)} was blocked in the kernel for more than ${secs(v.seconds)}.`,
  },
  'kernel-cpu-throttled': {
    kind: 'kernel',
    role: 'trigger',
    weight: 2,
    stage: 0,
    say: () => 'The CPUs were throttled because of their temperature.',
  },
  'kernel-syn-flood': {
    kind: 'kernel',
    role: 'both',
    weight: 2,
    stage: 1,
    say: (v) => `More connections arrived on port ${name(v.port)} than the kernel could queue.`,
  },
  'kernel-conntrack-full': {
    kind: 'kernel',
    role: 'trigger',
    weight: 3,
    stage: 0,
    say: () => 'The connection tracking table of the kernel was full: it dropped packets.',
  },
  'kernel-boot': {
    kind: 'kernel',
    role: 'trigger',
    weight: 5,
    stage: 0,
    say: () => 'The machine started.',
  },
  'disk-full': {
    kind: 'disk',
    role: 'trigger',
    weight: 6,
    stage: 0,
    say: (v) => `No space was left on the disk${maybe(': mongod could not write ', v.file)}.`,
  },
  'disk-error': {
    kind: 'disk',
    role: 'trigger',
    weight: 5,
    stage: 0,
    say: (v) =>
      `WiredTiger got error ${name(v.errorCode)} from the operating system${maybe(': ', v.error)}.`,
  },
  'disk-saturated': {
    kind: 'disk',
    role: 'both',
    weight: 1,
    stage: 1,
    say: (v) =>
      `Disk ${name(v.device)} was busy up to ${percent(num(v.busyRatio))} of the time ` +
      `(usually ${percent(num(v.usualRatio))}).`,
  },
  'journal-slow': {
    kind: 'disk',
    role: 'both',
    weight: 2,
    stage: 1,
    say: (v) =>
      `A write of the journal took up to ${duration(num(v.syncMs))} to reach the disk ` +
      `(usually ${duration(num(v.usualMs))}).`,
  },
  'cpu-saturated': {
    kind: 'load',
    role: 'both',
    weight: 1,
    stage: 1,
    say: (v) =>
      `All CPUs of the machine were busy, up to ${percent(num(v.busyRatio))} ` +
      `(usually ${percent(num(v.usualRatio))}).`,
  },
  'sample-gap': {
    kind: 'stall',
    role: 'both',
    weight: 4,
    stage: 0,
    say: (v) =>
      `mongod took no samples of itself for ${secs(v.seconds)} and did not restart: it was frozen, ` +
      'its machine was paused, or its clock was set forward.',
  },
  'server-status-slow': {
    kind: 'stall',
    role: 'symptom',
    weight: 1,
    stage: 3,
    say: (v) => `mongod took ${duration(num(v.durationMs))} to answer its own serverStatus.`,
  },
  stall: {
    kind: 'stall',
    role: 'symptom',
    weight: 3,
    stage: 3,
    say: (v) => `Hardly any operation completed for ${secs(v.seconds)} although clients waited.`,
  },
  'memory-low': {
    kind: 'memory',
    role: 'both',
    weight: 2,
    stage: 0,
    say: (v) => `The machine had as little as ${percent(num(v.ratio))} of its memory available.`,
  },
  swapping: {
    kind: 'memory',
    role: 'both',
    weight: 2,
    stage: 1,
    say: (v) => `The machine read up to ${count(num(v.perSec))} pages a second back from swap.`,
  },
});

module.exports = { MACHINE_CODES };
