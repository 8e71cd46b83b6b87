'use strict';

const { hasNewAllocator, isUnsafeKernel } = require('../../signals/allocator');
const { defineHostRule } = require('../rule');
const { sources, manual } = require('../sources');

module.exports = defineHostRule({
  id: 'host-rseq',
  title: 'Per-CPU allocator caches disabled by the C library',
  why:
    'The allocator of MongoDB 8.0 needs restartable sequences for its per-CPU caches, and only ' +
    'one part of a process can register them. glibc 2.35 and newer registers them first unless ' +
    'the environment forbids it. The allocator then silently falls back.',
  needs: ['process.rseqTunable', 'server.versionNumber'],
  wants: ['os.architecture', 'kernel.release'],
  evidence: ['process.rseqTunable'],
  threshold:
    'Information: from 8.0, without glibc.pthread.rseq=0 in GLIBC_TUNABLES. The rule ' +
    'percpu-caches shows the effect.',
  source: sources(
    manual(
      'TCMalloc performance: enable per-CPU caches',
      'manual/administration/tcmalloc-performance/',
    ),
    'glibc manual, glibc.pthread.rseq (https://sourceware.org/glibc/manual/latest/html_node/POSIX-Thread-Tunables.html)',
  ),
  advice: 'Start mongod with GLIBC_TUNABLES=glibc.pthread.rseq=0 in its environment.',
  whenNot:
    'Not on Linux 6.19 to 7.0.13: see host-kernel-release. Not with glibc before 2.35, nor on ' +
    's390x and ppc64le (old allocator). Other allocator settings did not help in the one ' +
    'published test.',
  check({
    'process.rseqTunable': tunable,
    'server.versionNumber': version,
    'os.architecture': architecture,
    'kernel.release': kernel,
  }) {
    const values = { tunable };
    if (!hasNewAllocator(version, architecture))
      return { status: 'ok', code: 'old-allocator', values };
    if (isUnsafeKernel(kernel)) return { status: 'ok', code: 'unsafe-kernel', values };
    return tunable === '0'
      ? { status: 'ok', code: 'fine', values }
      : { status: 'info', code: 'taken', values };
  },
  messages: {
    'old-allocator': () =>
      'Not applicable: the allocator of this release does not use restartable sequences.',
    'unsafe-kernel': () =>
      'On this kernel the allocator must not use restartable sequences (host-kernel-release).',
    fine: () => 'The environment of mongod leaves restartable sequences to the allocator.',
    taken: ({ tunable }) =>
      'The environment of mongod ' +
      `${tunable === '' ? 'does not set' : `sets glibc.pthread.rseq=${tunable}, not`} ` +
      'glibc.pthread.rseq=0: with glibc 2.35 or newer the allocator has no per-CPU caches.',
  },
  adviceFor: {
    taken: () =>
      'Start mongod with GLIBC_TUNABLES=glibc.pthread.rseq=0 in its environment; the official ' +
      'units and images have it.',
  },
});
