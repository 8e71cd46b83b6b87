'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

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
    /6\.1\.0 does not schedule by EEVDF/,
  ],
  [
    'on, on the machine it was measured on',
    kernel(),
    'info',
    /with wakeup preemption/,
    [`${FILE}=NO_WAKEUP_PREEMPTION back ${FILE}=WAKEUP_PREEMPTION`],
  ],
  ['on, elsewhere', kernel({ 'os.architecture': 'x86_64' }), 'info', /was not measured elsewhere/],
  ['off', kernel({ 'kernel.wakeupPreemption': false }), 'ok', /without wakeup preemption/],
  [
    'not root',
    kernel({ 'kernel.wakeupPreemption': undefined, 'kernel.features': 'not permitted' }),
    'info',
    /not known: .* is shown to root only, and on a locked-down kernel to nobody/,
  ],
  [
    'no debugfs',
    kernel({ 'kernel.wakeupPreemption': undefined, 'kernel.features': 'not mounted' }),
    'info',
    /debugfs is not mounted here/,
  ],
  [
    'a kernel without the feature',
    kernel({ 'kernel.wakeupPreemption': undefined }),
    'info',
    /does not name it/,
  ],
]);
