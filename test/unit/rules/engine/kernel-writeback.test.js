'use strict';

const { testRule } = require('../../../support/rule-tester');
const { HEALTHY } = require('../../../support/readings');

const MiB = 2 ** 20;
const STALLED = {
  ...HEALTHY,
  'stalls.share': 0.15,
  'stalls.inWritebackRatio': 0.8,
  'writeback.dirtyPageBytesMax': 180 * MiB,
  'disk.writtenBytesPerSecMax': 25e6,
};

testRule(__filename, [
  [
    'no standstill',
    HEALTHY,
    'ok',
    /stood still for 0\.0 % of the time; at most 20\.5 MiB were not yet written/,
  ],
  [
    'standstills while unwritten data falls',
    STALLED,
    'warning',
    /15\.0 % of the time, 80\.0 % of that/,
    /180 MiB .*dirty_background_bytes=16777216 vm\.dirty_bytes=134217728/,
  ],
  ['at a twentieth of the time', { ...STALLED, 'stalls.share': 0.05 }, 'warning'],
  ['less', { ...STALLED, 'stalls.share': 0.049 }, 'ok'],
  ['for half of it', { ...STALLED, 'stalls.inWritebackRatio': 0.5 }, 'warning'],
  ['for less of it', { ...STALLED, 'stalls.inWritebackRatio': 0.49 }, 'info', /49\.0 % of that/],
  [
    'for none of it: something else',
    { ...STALLED, 'stalls.inWritebackRatio': 0 },
    'ok',
    /was not why/,
  ],
  [
    'the machine not known',
    { ...STALLED, 'stalls.inWritebackRatio': undefined },
    'info',
    /is not known/,
  ],
]);
