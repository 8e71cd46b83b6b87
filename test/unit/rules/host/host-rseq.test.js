'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const host = (version, tunable, architecture) => ({
  'server.versionNumber': version,
  'process.rseqTunable': tunable,
  ...(architecture === undefined ? {} : { 'os.architecture': architecture }),
});

testHostRule(__filename, [
  ['7.0', host(79999, ''), 'ok', 'old-allocator'],
  ['8.0, off in the C library', host(80000, '0', 'x86_64'), 'ok', 'fine'],
  ['8.0, not set', host(80000, ''), 'info', 'taken'],
  ['8.0, set to the other', host(80000, '1'), 'info', 'taken'],
  [
    'the last kernel on which it is safe',
    { ...host(80000, ''), 'kernel.release': '6.18.99-generic' },
    'info',
    'taken',
  ],
  [
    'the first on which it is not',
    { ...host(80000, ''), 'kernel.release': '6.19.0' },
    'ok',
    'unsafe-kernel',
  ],
  [
    'the last of those',
    { ...host(80000, ''), 'kernel.release': '7.0.13-1.el10.x86_64' },
    'ok',
    'unsafe-kernel',
  ],
  [
    'the first that is safe again',
    { ...host(80000, ''), 'kernel.release': '7.0.14' },
    'info',
    'taken',
  ],
  ['8.2 on s390x', host(80205, '', 's390x'), 'ok', 'old-allocator'],
]);
