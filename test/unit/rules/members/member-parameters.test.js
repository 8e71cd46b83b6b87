'use strict';

const { testMemberRule, row, set } = require('../../../support/members');

const parameters = (seconds, more = {}) => ({
  parameters: { ttlMonitorSleepSecs: seconds, ...more },
});

testMemberRule(__filename, [
  [
    'a parameter',
    set([row('a:1', parameters(60)), row('b:2', parameters(5)), row('c:3', parameters(60))]),
    [['warning', 'differs', 'ttlMonitorSleepSecs', { name: 'ttlMonitorSleepSecs' }]],
  ],
  [
    'what only one of them has',
    set([row('a:1', parameters(60, { newer: 1 })), row('b:2', parameters(60))]),
    [['ok', 'fine']],
  ],
  [
    'another release',
    set([row('a:1', parameters(60)), row('b:2', { ...parameters(5), version: '7.0.1' })]),
    [['ok', 'fine']],
  ],
  [
    'the start says it already',
    set([
      row('a:1', { ...parameters(60), options: { setParameter: { ttlMonitorSleepSecs: '60' } } }),
      row('b:2', { ...parameters(5), options: { setParameter: { ttlMonitorSleepSecs: '5' } } }),
    ]),
    [['ok', 'fine']],
  ],
  [
    'options that may not be read',
    set([
      row('a:1', { ...parameters(60), options: null }),
      row('b:2', { ...parameters(5), options: null }),
    ]),
    [['warning', 'differs', undefined, { name: 'ttlMonitorSleepSecs' }]],
  ],
  [
    'a list of many values is cut, many hosts are counted',
    set(
      [...'abcde']
        .map((host) => row(host, parameters('x'.repeat(80))))
        .concat(row('f', parameters('y'))),
    ),
    [['warning', 'differs']],
  ],
]);
