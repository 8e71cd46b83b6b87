'use strict';

const { defineHostRule } = require('../rule');
const { writeFile } = require('../fixes');
const { sources, kernel, man } = require('../sources');

// Read through a device or a system call, a microsecond and more each time, where the others are
// read in some 20 ns without entering the kernel (kernel documentation, timers/timekeeping.rst;
// vdso(7)).
const SLOW = Object.freeze([
  'hpet',
  'acpi_pm',
  'xen',
  'jiffies',
  'refined-jiffies',
  'pit',
  'hyperv_clocksource_msr',
]);
// The best of each platform, in the order of preference.
const FAST = Object.freeze([
  'tsc',
  'kvm-clock',
  'arch_sys_counter',
  'hyperv_clocksource_tsc_page',
  'tod',
  'timebase',
]);
const FILE = '/sys/devices/system/clocksource/clocksource0/current_clocksource';

module.exports = defineHostRule({
  id: 'host-clock-source',
  title: 'Slow kernel clock source',
  why:
    'mongod reads the time several times for each operation. With a slow clock source each ' +
    'read is a system call or a device access, and delays every operation.',
  needs: ['clock.source'],
  wants: ['clock.available'],
  threshold: `Warning for ${SLOW.join(', ')}.`,
  source: sources(kernel('clock sources', 'timers/timekeeping'), man('vdso', 7)),
  advice:
    'Select a fast source at boot (clocksource=), after checking in the kernel log why the ' +
    'kernel left it.',
  whenNot:
    'Not if the kernel found the fast source unstable (dmesg: "Marking clocksource … as ' +
    'unstable"): a wrong time is worse than a slow one.',
  check({ 'clock.source': source, 'clock.available': available = [] }) {
    const evidence = { 'clock.source': source, 'clock.available': available.join(' ') };
    const faster = FAST.find((name) => available.includes(name)) ?? null;
    const values = { source, faster };
    if (!SLOW.includes(source)) return { status: 'ok', code: 'fine', values, evidence };
    if (faster === null)
      return { status: 'warning', code: 'slow-without-choice', values, evidence };
    const fixes = [writeFile(FILE, faster, source)];
    return { status: 'warning', code: 'slow', values, evidence, fixes };
  },
  messages: {
    fine: ({ source }) => `Clock source: ${source}.`,
    slow: ({ source, faster }) => `Clock source: ${source}, which is slow; ${faster} is available.`,
    'slow-without-choice': ({ source }) =>
      `Clock source: ${source}, which is slow; the kernel offers no faster one.`,
  },
  adviceFor: {
    slow: ({ faster }) => `Select ${faster}, unless the kernel log reports it as unstable.`,
  },
});
