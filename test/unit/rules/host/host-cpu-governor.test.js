'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const target = (i) => `/sys/devices/system/cpu/cpufreq/policy${i}/scaling_governor`;
const host = (governors, driver) => ({
  'cpu.governors': governors.map((governor, i) => ({ target: target(i), governor })),
  ...(driver === undefined ? {} : { 'cpu.frequencyDriver': driver }),
});

testHostRule(__filename, [
  ['the system does not set it', host([]), 'ok', 'not-set-here'],
  [
    'performance',
    host(['performance', 'performance'], 'acpi-cpufreq'),
    'ok',
    'fine',
    { governors: 'performance', driver: 'acpi-cpufreq' },
  ],
  [
    'powersave of a driver that follows the load',
    host(['powersave'], 'intel_pstate'),
    'ok',
    'fine',
    { governors: 'powersave', driver: 'intel_pstate' },
  ],
  [
    'powersave of AMD that follows the load',
    host(['powersave'], 'amd-pstate-epp'),
    'ok',
    'fine',
    { governors: 'powersave' },
  ],
  [
    'powersave of any other',
    host(['powersave', 'performance'], 'acpi-cpufreq'),
    'warning',
    'lowest-clock',
    { slow: 1, all: 2 },
    [`${target(0)}=performance back ${target(0)}=powersave`],
  ],
  [
    'powersave of an unknown one',
    host(['powersave']),
    'warning',
    'lowest-clock',
    {},
    [`${target(0)}=performance back ${target(0)}=powersave`],
  ],
  ['the driver is not known', host(['schedutil']), 'ok', 'fine', { governors: 'schedutil' }],
]);
