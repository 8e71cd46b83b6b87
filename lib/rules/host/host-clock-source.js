'use strict';

const { defineHostRule } = require('../rule');
const { writeFile } = require('../fixes');

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
// The best of each platform, in the order in which they are looked for.
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
    'mongod reads the time several times for each operation, for its statistics, time limits ' +
    'and log. With a slow source each reading is a system call or an access to a device, and ' +
    'shows in every operation.',
  needs: ['clock.source'],
  wants: ['clock.available'],
  threshold: `Warning for ${SLOW.join(', ')}.`,
  source: 'Kernel documentation, timers/timekeeping.rst; vdso(7)',
  advice:
    'Choose a fast source at the start of the kernel (clocksource=), after its log has told ' +
    'why it left the fast one.',
  whenNot:
    'Where the kernel has found the fast source unstable (dmesg: "Marking clocksource … as ' +
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
    fine: ({ source }) => `The time is read from ${source}.`,
    slow: ({ source, faster }) =>
      `The time is read from ${source}, which is slow, while ${faster} is there.`,
    'slow-without-choice': ({ source }) =>
      `The time is read from ${source}, which is slow, and the kernel offers nothing faster.`,
  },
  adviceFor: {
    slow: ({ faster }) =>
      `Choose ${faster}, unless the log of the kernel tells that it was found unstable.`,
  },
});
