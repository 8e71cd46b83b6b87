'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const kernel = (more = {}) => ({
  'kernel.isEevdf': true,
  'kernel.release': '6.12.0',
  'kernel.wakeupPreemption': true,
  'kernel.features': 'readable',
  'os.architecture': 's390x',
  ...more,
});
const FILE = '/sys/kernel/debug/sched/features';

testHostRule(__filename, [
  [
    'a kernel before EEVDF',
    kernel({ 'kernel.isEevdf': false, 'kernel.release': '6.1.0' }),
    'ok',
    'no-eevdf',
    { release: '6.1.0' },
  ],
  [
    'on, on the machine it was measured on',
    kernel(),
    'info',
    'on',
    {},
    [`${FILE}=NO_WAKEUP_PREEMPTION back ${FILE}=WAKEUP_PREEMPTION`],
  ],
  ['on, elsewhere', kernel({ 'os.architecture': 'x86_64' }), 'info', 'on-not-measured'],
  ['off', kernel({ 'kernel.wakeupPreemption': false }), 'ok', 'off'],
  [
    'not root',
    kernel({ 'kernel.wakeupPreemption': undefined, 'kernel.features': 'not permitted' }),
    'info',
    'not-shown',
  ],
  [
    'no debugfs',
    kernel({ 'kernel.wakeupPreemption': undefined, 'kernel.features': 'not mounted' }),
    'info',
    'not-shown',
    { access: 'not mounted' },
  ],
  [
    'a kernel without the feature',
    kernel({ 'kernel.wakeupPreemption': undefined }),
    'info',
    'not-shown',
  ],
]);
