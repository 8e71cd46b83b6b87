'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

const host = (version, tunable, architecture) => ({
  'server.versionNumber': version,
  'process.rseqTunable': tunable,
  ...(architecture === undefined ? {} : { 'os.architecture': architecture }),
});

testHostRule(__filename, [
  ['7.0', host(79999, ''), 'ok', /does not use restartable sequences/],
  ['8.0, off in the C library', host(80000, '0', 'x86_64'), 'ok', /leaves restartable sequences/],
  ['8.0, not set', host(80000, ''), 'info', /sets no glibc\.pthread\.rseq=0: with glibc 2\.35/],
  [
    '8.0, set to the other',
    host(80000, '1'),
    'info',
    /sets glibc\.pthread\.rseq=1, not glibc\.pthread\.rseq=0/,
  ],
  ['the last kernel on which it is safe', { ...host(80000, ''), 'kernel.number': 6018 }, 'info'],
  [
    'the first on which it is not',
    { ...host(80000, ''), 'kernel.number': 6019 },
    'ok',
    /must not use restartable sequences/,
  ],
  ['8.2 on s390x', host(80205, '', 's390x'), 'ok'],
]);
