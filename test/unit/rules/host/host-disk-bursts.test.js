'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const MiB = 2 ** 20;
const second = (writtenBytesPerSec, busyRatio, readBytesPerSec = 0) => ({
  writtenBytesPerSec,
  readBytesPerSec,
  busyRatio,
  writesPerSec: 1,
  queue: 1,
});
const disk = (seconds, more = {}) => ({ 'disk.name': 'nvme0n1', 'disk.seconds': seconds, ...more });
const [burst, still] = [second(500 * MiB, 1), second(0, 1)];

testHostRule(__filename, [
  [
    'steady',
    disk([burst, burst, burst]),
    'ok',
    'steady',
    { name: 'nvme0n1', seconds: 3, stillSeconds: 0, peakBytesPerSec: 500 * 2 ** 20 },
  ],
  ['one second', disk([burst, still, burst]), 'info', 'stalled', { seconds: 3, stillSeconds: 1 }],
  [
    'two, of a known disk and kernel',
    disk([burst, still, still], { 'disk.model': 'Fast 2000', 'kernel.release': '3.10' }),
    'warning',
    'stalled',
    {
      model: 'Fast 2000',
      kernel: '3.10',
      seconds: 3,
      stillSeconds: 2,
      peakBytesPerSec: 500 * 2 ** 20,
    },
  ],
  ['idle afterwards', disk([burst, second(0, 0.94), second(0, 0)]), 'ok', 'steady'],
  ['hardly busy enough', disk([burst, second(0, 0.95), second(0, 0.95)]), 'warning', 'stalled'],
  ['busy with reads', disk([burst, second(0, 1, 6 * MiB), second(0, 1, 6 * MiB)]), 'ok', 'steady'],
  ['a hundredth', disk([burst, second(5 * MiB, 1), second(5 * MiB, 1)]), 'ok', 'steady'],
  [
    'less than a hundredth',
    disk([burst, second(5 * MiB - 1, 1), second(4 * MiB, 1)]),
    'warning',
    'stalled',
  ],
  ['no burst before', disk([still, still, burst]), 'ok', 'steady'],
  ['a small burst', disk([second(20 * MiB - 1, 1), still, still]), 'ok', 'steady'],
  ['the least burst', disk([second(20 * MiB, 1), still, still]), 'warning', 'stalled'],
  [
    'no second at all',
    disk([]),
    'unknown',
    'not-sampled',
    { seconds: 0, stillSeconds: 0, peakBytesPerSec: 0 },
  ],
]);
