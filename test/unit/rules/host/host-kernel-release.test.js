'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const kernel = (number, more = {}, patch = '') => ({
  'kernel.number': number,
  'kernel.release': `${Math.floor(number / 1000)}.${number % 1000}${patch}`,
  ...more,
});

const server = (version, tunable, more = {}) => ({
  'server.versionNumber': version,
  'process.rseqTunable': tunable,
  ...more,
});

testHostRule(__filename, [
  [
    'the last before the change',
    kernel(6018, server(80000, '0')),
    'ok',
    'fine',
    { release: '6.18' },
  ],
  [
    'the change, with the sequences',
    kernel(6019, server(80000, '0')),
    'critical',
    'unsafe',
    { release: '6.19' },
  ],
  ['the last unsafe one', kernel(7000, server(80204, '0'), '.13-1'), 'critical', 'unsafe'],
  ['a candidate of it', kernel(7000, server(80204, '0'), '-rc3'), 'critical', 'unsafe'],
  ['the first that is safe again', kernel(7000, server(80204, '0'), '.14'), 'ok', 'fine'],
  ['a later one', kernel(7001, server(80204, '0')), 'ok', 'fine'],
  ['the change, nothing said', kernel(6019, server(80000, '')), 'warning', 'unsafe-perhaps'],
  [
    'the change, nothing known',
    kernel(6019, server(80000, undefined)),
    'warning',
    'unsafe-perhaps',
  ],
  ['the change, without the sequences', kernel(6019, server(80000, '1')), 'info', 'unsafe-avoided'],
  ['the change, with the old allocator', kernel(6019, server(79999, '0')), 'ok', 'fine'],
  [
    'the change, on a machine with the old allocator',
    kernel(6019, server(80000, '0', { 'os.architecture': 's390x' })),
    'ok',
    'fine',
  ],
  ['the change, with an unknown server', kernel(6019), 'info', 'unsafe-for-new-servers'],
  ['4.0', kernel(4000, { 'disk.name': 'nvme0n1' }), 'ok', 'fine'],
  [
    'before it, with NVMe',
    kernel(3019, { 'disk.name': 'nvme0n1' }),
    'warning',
    'old-with-nvme',
    { release: '3.19' },
  ],
  ['before it, with another disk', kernel(3019, { 'disk.name': 'sda' }), 'info', 'old'],
  ['before it, with an unknown disk', kernel(3010), 'info', 'old'],
]);
