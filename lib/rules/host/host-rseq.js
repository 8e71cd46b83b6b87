'use strict';

const { hasNewAllocator, FIRST_UNSAFE_KERNEL } = require('../../signals/allocator');
const { defineHostRule } = require('../rule');

module.exports = defineHostRule({
  id: 'host-rseq',
  title: 'Restartable sequences kept from the allocator by the C library',
  why:
    'The allocator of MongoDB 8.0 keeps a cache for each processor by way of restartable ' +
    'sequences, which only one part of a process can register. glibc from 2.35 on does it ' +
    'first, unless the environment forbids it; the allocator then falls back without a word.',
  needs: ['process.rseqTunable', 'server.versionNumber'],
  wants: ['os.architecture', 'kernel.number'],
  evidence: ['process.rseqTunable'],
  threshold:
    'Information from 8.0 on when GLIBC_TUNABLES does not hold glibc.pthread.rseq=0. The ' +
    'rule percpu-caches tells what became of it.',
  source:
    'MongoDB manual, TCMalloc performance, enable per-CPU caches; glibc manual, glibc.pthread.rseq',
  advice: 'Start mongod with GLIBC_TUNABLES=glibc.pthread.rseq=0 in its environment.',
  whenNot:
    'On Linux 6.19 and later: see kernel-release. With glibc before 2.35, and on s390x and ' +
    'ppc64le, where the old allocator is in use. Other settings of the allocator did not ' +
    'help where they were measured (IBM-Z).',
  check({
    'process.rseqTunable': tunable,
    'server.versionNumber': version,
    'os.architecture': architecture,
    'kernel.number': kernel = 0,
  }) {
    const values = { tunable };
    if (!hasNewAllocator(version, architecture))
      return { status: 'ok', code: 'old-allocator', values };
    if (kernel >= FIRST_UNSAFE_KERNEL) return { status: 'ok', code: 'unsafe-kernel', values };
    return tunable === '0'
      ? { status: 'ok', code: 'fine', values }
      : { status: 'info', code: 'taken', values };
  },
  messages: {
    'old-allocator': () => 'The allocator of this server does not use restartable sequences.',
    'unsafe-kernel': () =>
      'On this kernel the allocator must not use restartable sequences (kernel-release).',
    fine: () => 'The environment of mongod leaves restartable sequences to the allocator.',
    taken: ({ tunable }) =>
      'The environment of mongod ' +
      `${tunable === '' ? 'sets no' : `sets glibc.pthread.rseq=${tunable}, not`} ` +
      'glibc.pthread.rseq=0: with glibc 2.35 or newer the allocator keeps no cache for each ' +
      'processor.',
  },
  adviceFor: {
    taken: () =>
      'Start mongod with GLIBC_TUNABLES=glibc.pthread.rseq=0 in its environment; the units ' +
      'and images of MongoDB have it.',
  },
});
