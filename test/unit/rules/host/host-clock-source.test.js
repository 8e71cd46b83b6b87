'use strict';

const { testHostRule } = require('../../../support/rule-tester');

const FILE = '/sys/devices/system/clocksource/clocksource0/current_clocksource';
const clock = (source, available) => ({
  'clock.source': source,
  ...(available === undefined ? {} : { 'clock.available': available }),
});
const fix = (to, from) => [`${FILE}=${to} back ${FILE}=${from}`];

testHostRule(__filename, [
  ['tsc', clock('tsc'), 'ok', 'fine', { source: 'tsc' }],
  ['of a virtual machine', clock('kvm-clock', ['kvm-clock', 'acpi_pm']), 'ok', 'fine'],
  ['ARM', clock('arch_sys_counter'), 'ok', 'fine'],
  ['IBM Z', clock('tod'), 'ok', 'fine'],
  [
    'slow, with a better one',
    clock('hpet', ['acpi_pm', 'hpet', 'tsc']),
    'warning',
    'slow',
    { source: 'hpet', faster: 'tsc' },
    fix('tsc', 'hpet'),
  ],
  ['Xen', clock('xen', ['xen', 'tsc']), 'warning', 'slow', { faster: 'tsc' }, fix('tsc', 'xen')],
  ['slow, without one', clock('acpi_pm', ['acpi_pm', 'hpet']), 'warning', 'slow-without-choice'],
  ['slow, and what else there is is not known', clock('acpi_pm'), 'warning', 'slow-without-choice'],
]);
