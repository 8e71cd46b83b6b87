'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const FOLDER = '/sys/kernel/mm/transparent_hugepage';
const host = (version, enabled, more = {}) => ({
  'server.versionNumber': version,
  'thp.enabled': enabled,
  ...more,
});
const good = { 'thp.defrag': 'defer+madvise', 'thp.maxPtesNone': 0, 'memory.overcommit': 1 };
const fix = (file, to, back) => `${FOLDER}/${file}=${to} back ${FOLDER}/${file}=${back}`;
const NEVER = [fix('enabled', 'never', 'always')];

testHostRule(__filename, [
  ['7.0, off', host(70021, 'never'), 'ok', 'as-wanted', { enabled: 'never' }],
  ['7.0, on demand', host(70021, 'madvise'), 'ok', 'as-wanted', { enabled: 'madvise' }],
  ['7.0, always', host(79999, 'always'), 'warning', 'always', { enabled: 'always' }, NEVER],
  [
    '7.0, always, but mongod has opted out',
    host(70021, 'always', { 'process.isThpAllowed': false }),
    'ok',
    'opted-out',
  ],
  [
    '8.0, as the manual asks',
    host(80000, 'always', good),
    'ok',
    'as-wanted',
    { enabled: 'always' },
  ],
  ['8.0, nothing else known', host(80000, 'always'), 'ok', 'as-wanted', { enabled: 'always' }],
  [
    '8.0, off',
    host(80000, 'never', {
      ...good,
      'thp.defrag': 'madvise',
      'thp.maxPtesNone': 511,
      'memory.overcommit': 0,
    }),
    'info',
    'not-as-wanted',
    { enabled: 'never', maxPtesNone: 511 },
    [
      fix('enabled', 'always', 'never'),
      fix('defrag', 'defer+madvise', 'madvise'),
      fix('khugepaged/max_ptes_none', '0', '511'),
      'vm.overcommit_memory=1 back vm.overcommit_memory=0',
    ],
  ],
  [
    '8.0, pages are joined while a thread waits',
    host(80000, 'always', { ...good, 'thp.defrag': 'always' }),
    'info',
    'not-as-wanted',
    { enabled: 'always', defrag: 'always' },
    [fix('defrag', 'defer+madvise', 'always')],
  ],
  [
    '8.0, another value of defrag, of which mongod warns at its start (9068900 in a log of 9.0.2)',
    host(80000, 'always', { ...good, 'thp.defrag': 'madvise' }),
    'info',
    'not-as-wanted',
    { defrag: 'madvise' },
    [fix('defrag', 'defer+madvise', 'madvise')],
  ],
  [
    '8.0, processes grow',
    host(80000, 'always', { ...good, 'thp.maxPtesNone': 1 }),
    'info',
    'not-as-wanted',
    { maxPtesNone: 1 },
    [fix('khugepaged/max_ptes_none', '0', '1')],
  ],
  [
    '8.2 on s390x, always',
    host(80205, 'always', { 'os.architecture': 's390x' }),
    'info',
    'always',
    {},
    NEVER,
  ],
  [
    '8.2 on s390x, on demand',
    host(80205, 'madvise', { 'os.architecture': 's390x' }),
    'ok',
    'as-wanted',
    { enabled: 'madvise' },
  ],
  [
    '8.0 on ARM, on demand',
    host(80000, 'madvise', { ...good, 'os.architecture': 'aarch64' }),
    'info',
    'not-as-wanted',
    { enabled: 'madvise' },
    [fix('enabled', 'always', 'madvise')],
  ],
]);
