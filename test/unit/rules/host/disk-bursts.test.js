'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

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
    /In 3 seconds disk nvme0n1 wrote 500 MiB\/s at most/,
  ],
  ['one second', disk([burst, still, burst]), 'info', /stood still for 1 second of 3 \(33\.3 %\)/],
  [
    'two, of a known disk and kernel',
    disk([burst, still, still], { 'disk.model': 'Fast 2000', 'kernel.release': '3.10' }),
    'warning',
    /\(Fast 2000, kernel 3\.10\) wrote 500 MiB\/s, and then stood still for 2 seconds of 3/,
  ],
  ['idle afterwards', disk([burst, second(0, 0.94), second(0, 0)]), 'ok'],
  ['hardly busy enough', disk([burst, second(0, 0.95), second(0, 0.95)]), 'warning'],
  ['busy with reads', disk([burst, second(0, 1, 6 * MiB), second(0, 1, 6 * MiB)]), 'ok'],
  ['a hundredth', disk([burst, second(5 * MiB, 1), second(5 * MiB, 1)]), 'ok'],
  ['less than a hundredth', disk([burst, second(5 * MiB - 1, 1), second(4 * MiB, 1)]), 'warning'],
  ['no burst before', disk([still, still, burst]), 'ok'],
  ['a small burst', disk([second(20 * MiB - 1, 1), still, still]), 'ok'],
  ['the least burst', disk([second(20 * MiB, 1), still, still]), 'warning'],
  ['no second at all', disk([]), 'ok', /In 0 seconds/],
]);
