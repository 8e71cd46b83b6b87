'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

const kernel = (number, more = {}) => ({
  'kernel.number': number,
  'kernel.release': `${Math.floor(number / 1000)}.${number % 1000}`,
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
    /6\.18 is not known to be slow or wrong/,
  ],
  [
    'the change, with the sequences',
    kernel(6019, server(80000, '0')),
    'critical',
    /6\.19 .* makes it use them: data can be damaged/,
  ],
  ['a later one', kernel(7001, server(80204, '0')), 'critical'],
  ['the change, nothing said', kernel(6019, server(80000, '')), 'warning', /does not say whether/],
  ['the change, nothing known', kernel(6019, server(80000, undefined)), 'warning'],
  [
    'the change, without the sequences',
    kernel(6019, server(80000, '1')),
    'info',
    /glibc\.pthread\.rseq=1\) keeps it from that/,
  ],
  ['the change, with the old allocator', kernel(6019, server(79999, '0')), 'ok'],
  [
    'the change, on a machine with the old allocator',
    kernel(6019, server(80000, '0', { 'os.architecture': 's390x' })),
    'ok',
  ],
  [
    'the change, with an unknown server',
    kernel(6019),
    'info',
    /version of this server is not known/,
  ],
  ['4.0', kernel(4000, { 'disk.name': 'nvme0n1' }), 'ok'],
  [
    'before it, with NVMe',
    kernel(3019, { 'disk.name': 'nvme0n1' }),
    'warning',
    /3\.19 is older than 4\.0, and dbPath is on an NVMe disk/,
  ],
  ['before it, with another disk', kernel(3019, { 'disk.name': 'sda' }), 'info', /older than 4\.0/],
  ['before it, with an unknown disk', kernel(3010), 'info'],
]);
