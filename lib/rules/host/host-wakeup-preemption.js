'use strict';

const { defineHostRule } = require('../rule');
const { writeFile } = require('../fixes');
const { sources, S390X } = require('../sources');

const MEASURED_ON = 's390x';
const FILE = '/sys/kernel/debug/sched/features';
const [OFF, ON] = ['NO_WAKEUP_PREEMPTION', 'WAKEUP_PREEMPTION'];
const WAY_BACK = `as root: echo ${ON} > ${FILE}`;

module.exports = defineHostRule({
  id: 'host-wakeup-preemption',
  title: 'Running threads preempted by waking ones',
  why:
    'Since Linux 6.6 the scheduler is EEVDF: a thread that wakes up for a request may preempt ' +
    'a running one. With many more connections than CPUs, this means more context switches for ' +
    'the same work.',
  needs: ['kernel.isEevdf', 'kernel.release'],
  wants: ['kernel.wakeupPreemption', 'kernel.features', 'os.architecture'],
  evidence: ['kernel.release', 'kernel.isEevdf', 'kernel.wakeupPreemption'],
  threshold:
    'Information, never more: EEVDF (Linux 6.6 and later) with wakeup preemption on, or not ' +
    `reported. The setting is offered only on ${MEASURED_ON}, where it was measured.`,
  source: sources(S390X + ': 512 clients, fewer context switches; its own gain is not published'),
  advice: `Write ${OFF} to ${FILE}, measure, and keep it only if it helps.`,
  whenNot:
    'Not measured on other machines and loads: few clients, or latency-sensitive programs on ' +
    'the same host, may lose. It is an unstable debug interface that only root can write.',
  check({
    'kernel.isEevdf': isEevdf,
    'kernel.release': release,
    'kernel.wakeupPreemption': isOn = null,
    'kernel.features': access = 'not permitted',
    'os.architecture': architecture,
  }) {
    const values = { release, access };
    if (!isEevdf) return { status: 'ok', code: 'no-eevdf', values };
    if (isOn === null) return { status: 'info', code: 'not-shown', values };
    if (!isOn) return { status: 'ok', code: 'off', values };
    if (architecture !== MEASURED_ON) return { status: 'info', code: 'on-not-measured', values };
    const fixes = [{ ...writeFile(FILE, OFF, ON), note: 'needs root and a mounted debugfs' }];
    return { status: 'info', code: 'on', values, fixes };
  },
  messages: {
    'no-eevdf': ({ release }) =>
      `Not applicable: kernel ${release} does not use the EEVDF scheduler.`,
    off: ({ release }) => `Kernel ${release} uses EEVDF, without wakeup preemption.`,
    'not-shown': ({ release, access }) =>
      `Kernel ${release} uses EEVDF; wakeup preemption is not known: ${REASONS[access]}.`,
    on: ({ release }) => `Kernel ${release} uses EEVDF, with wakeup preemption.`,
    'on-not-measured': ({ release }) =>
      `Kernel ${release} uses EEVDF, with wakeup preemption. Disabling it helped in one s390x ` +
      'test and was not measured elsewhere.',
  },
  adviceFor: {
    on: () =>
      `Disable it (root only), measure, and keep that only if it helps. Roll back ${WAY_BACK}.`,
    'on-not-measured': () =>
      `To test it, as root: echo ${OFF} > ${FILE}; measure before and after. Roll back ${WAY_BACK}.`,
  },
});

const REASONS = Object.freeze({
  'not permitted': `${FILE} is readable only by root, and not at all on a locked-down kernel`,
  'not mounted': 'debugfs is not mounted',
  readable: `${FILE} does not list it`,
});
