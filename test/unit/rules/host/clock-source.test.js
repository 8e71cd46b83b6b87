'use strict';

const { testHostRule } = require('../../../support/host-rule-tester');

const FILE = '/sys/devices/system/clocksource/clocksource0/current_clocksource';
const clock = (source, available) => ({
  'clock.source': source,
  ...(available === undefined ? {} : { 'clock.available': available }),
});
const fix = (to, from) => [`${FILE}=${to} back ${FILE}=${from}`];

testHostRule(__filename, [
  ['tsc', clock('tsc'), 'ok', /read from tsc/],
  ['of a virtual machine', clock('kvm-clock', ['kvm-clock', 'acpi_pm']), 'ok'],
  ['ARM', clock('arch_sys_counter'), 'ok'],
  ['IBM Z', clock('tod'), 'ok'],
  [
    'slow, with a better one',
    clock('hpet', ['acpi_pm', 'hpet', 'tsc']),
    'warning',
    /hpet, which is slow, while tsc is there/,
    fix('tsc', 'hpet'),
  ],
  ['Xen', clock('xen', ['xen', 'tsc']), 'warning', /while tsc/, fix('tsc', 'xen')],
  ['slow, without one', clock('acpi_pm', ['acpi_pm', 'hpet']), 'warning', /nothing faster/],
  ['slow, and what else there is is not known', clock('acpi_pm'), 'warning', /nothing faster/],
]);
