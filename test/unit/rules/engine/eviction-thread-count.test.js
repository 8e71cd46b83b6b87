'use strict';

const { testRule } = require('../../../support/rule-tester');

const threads = (
  /** @type {number} */ max,
  /** @type {number} */ cores,
  /** @type {number} */ cpu = 0.3,
) => ({
  'eviction.threadsActive': 4,
  'config.threadsMax': max,
  'host.cores': cores,
  'process.cpuRatio': cpu,
});

testRule(__filename, [
  [
    'the default on a small machine',
    threads(4, 2, 0.9),
    'ok',
    /4 eviction threads on 2 processors/,
  ],
  ['more than the default there', threads(5, 2), 'info', /more than can run at once/],
  ['as many as processors', threads(16, 16, 0.9), 'ok'],
  ['more', threads(17, 16), 'info'],
  [
    'as many as are active, where the setting is not known',
    { 'eviction.threadsActive': 5, 'host.cores': 2 },
    'info',
    /5 eviction threads on 2/,
  ],
  ['more, at 70 %', threads(17, 16, 0.7), 'info'],
  [
    'more, and the processors are busy',
    threads(17, 16, 0.71),
    'warning',
    /71\.0 % of them/,
    /tune\.apply/,
  ],
]);
