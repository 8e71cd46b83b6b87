'use strict';

const { defineHostRule } = require('../rule');
const { writeFile } = require('../fixes');
const { many } = require('../../signals/words');

// With these drivers "powersave" raises the clock under load as others do by name of schedutil
// (admin-guide/pm/intel_pstate.rst, amd-pstate.rst); with all others it stays at the lowest clock
// there is.
const DYNAMIC_DRIVERS = Object.freeze(['intel_pstate', 'amd-pstate-epp', 'amd_pstate_epp']);

module.exports = defineHostRule({
  id: 'host-cpu-governor',
  title: 'CPUs kept at their lowest clock',
  why:
    'The governor decides how fast a processor runs. With most drivers "powersave" means the ' +
    'lowest clock, whatever there is to do: everything mongod does takes a multiple of the time.',
  needs: ['cpu.governors'],
  wants: ['cpu.frequencyDriver'],
  threshold:
    `Warning for powersave, unless the driver is ${DYNAMIC_DRIVERS[0]} or ` +
    `${DYNAMIC_DRIVERS[1]}, which raise the clock under load all the same.`,
  source: 'Kernel documentation, admin-guide/pm/cpufreq.rst, intel_pstate.rst, amd-pstate.rst',
  advice: 'Set the governor to performance (or schedutil).',
  whenNot: 'Where the clock was lowered on purpose, for power or heat.',
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
    'not-set-here': () => 'This system does not set the clock of its CPUs.',
    fine: ({ governors, driver }) =>
      'The clock of the CPUs is set by ' + `${governors}${driver === null ? '' : ` (${driver})`}.`,
    'lowest-clock': ({ slow, all }) =>
      `${many(slow, 'CPU')} (or groups of them) of ${all} are kept at the lowest clock by ` +
      'the governor powersave.',
  },
});
