'use strict';

const { defineHostRule } = require('../rule');
const { writeFile } = require('../fixes');
const { sources, kernel } = require('../sources');

// With these drivers "powersave" raises the clock under load as others do by name of schedutil
// (admin-guide/pm/intel_pstate.rst, amd-pstate.rst); with all others it stays at the lowest clock
// there is.
const DYNAMIC_DRIVERS = Object.freeze(['intel_pstate', 'amd-pstate-epp', 'amd_pstate_epp']);

module.exports = defineHostRule({
  id: 'host-cpu-governor',
  title: 'CPUs kept at their lowest frequency',
  why:
    'The governor sets the CPU frequency. With most drivers, powersave means the lowest ' +
    'frequency at any load: everything mongod does takes several times as long.',
  needs: ['cpu.governors'],
  wants: ['cpu.frequencyDriver'],
  threshold:
    `Warning: powersave, unless the driver is ${DYNAMIC_DRIVERS[0]} or ${DYNAMIC_DRIVERS[1]}, ` +
    'which raise the frequency under load.',
  source: sources(
    kernel('CPU performance scaling', 'admin-guide/pm/cpufreq'),
    kernel('intel_pstate', 'admin-guide/pm/intel_pstate'),
    kernel('amd-pstate', 'admin-guide/pm/amd-pstate'),
  ),
  advice: 'Set the governor to performance (or schedutil).',
  whenNot: 'Not if the frequency was lowered deliberately, for power or heat.',
  check({ 'cpu.governors': governors, 'cpu.frequencyDriver': driver = null }) {
    const names = [...new Set(governors.map(({ governor }) => governor))].join(', ');
    const slow = governors.filter(({ governor }) => governor === 'powersave');
    const evidence = { governors: names, 'cpu.frequencyDriver': driver };
    const values = { governors: names, driver, slow: slow.length, all: governors.length };
    if (governors.length === 0) return { status: 'ok', code: 'not-set-here', values, evidence };
    if (slow.length === 0 || DYNAMIC_DRIVERS.includes(driver ?? ''))
      return { status: 'ok', code: 'fine', values, evidence };
    const fixes = slow.map(({ target, governor }) => writeFile(target, 'performance', governor));
    return { status: 'warning', code: 'lowest-clock', values, evidence, fixes };
  },
  messages: {
    'not-set-here': () => 'Not applicable: this system does not set CPU frequencies.',
    fine: ({ governors, driver }) =>
      `CPU frequency governor: ${governors}${driver === null ? '' : ` (${driver})`}.`,
    'lowest-clock': ({ slow, all }) =>
      `${slow} of ${all} CPU frequency policies keep CPUs at the lowest frequency (governor ` +
      'powersave).',
  },
});
