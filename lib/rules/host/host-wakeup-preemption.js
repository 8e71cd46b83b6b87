'use strict';

const { defineHostRule } = require('../rule');
const { writeFile } = require('../fixes');

const MEASURED_ON = 's390x';
const FILE = '/sys/kernel/debug/sched/features';
const [OFF, ON] = ['NO_WAKEUP_PREEMPTION', 'WAKEUP_PREEMPTION'];
const WAY_BACK = `as root: echo ${ON} > ${FILE}`;

module.exports = defineHostRule({
  id: 'host-wakeup-preemption',
  title: 'Running threads preempted by waking ones',
  why:
    'Since Linux 6.6 the scheduler is EEVDF. There a thread that wakes, because a request has ' +
    'arrived, may take the processor from one in the middle of its own. With many more ' +
    'connections than CPUs that means more switches between threads for the same work.',
  needs: ['kernel.isEevdf', 'kernel.release'],
  wants: ['kernel.wakeupPreemption', 'kernel.features', 'os.architecture'],
  evidence: ['kernel.release', 'kernel.isEevdf', 'kernel.wakeupPreemption'],
  threshold:
    'EEVDF (Linux 6.6 and later) with wakeup preemption on, or not reported: information, never ' +
    `more. The setting is offered on ${MEASURED_ON} only, where it was measured.`,
  source:
    'IBM-Z step 7 (z17, 24 CPUs, RHEL 10, 512 clients, mostly reads: fewer context ' +
    'switches; a gain of its own is not given)',
  advice: `Write ${OFF} to ${FILE}, measure, and keep it only when it helps.`,
  whenNot:
    'Other machines and other loads were not measured: few clients, or other programs that ' +
    'want quick answers on the same host, may lose. It is a debugging interface without any ' +
    'promise, and only root may write it.',
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
    'no-eevdf': ({ release }) => `Kernel ${release} does not schedule by EEVDF.`,
    off: ({ release }) => `Kernel ${release} schedules by EEVDF, without wakeup preemption.`,
    'not-shown': ({ release, access }) =>
      `Kernel ${release} schedules by EEVDF; whether wakeup preemption is on is not known: ` +
      `${REASONS[access]}.`,
    on: ({ release }) => `Kernel ${release} schedules by EEVDF, with wakeup preemption.`,
    'on-not-measured': ({ release }) =>
      `Kernel ${release} schedules by EEVDF, with wakeup preemption. Turning it off helped on ` +
      'IBM Z and was not measured elsewhere.',
  },
  adviceFor: {
    on: () =>
      `Turn it off (root only), measure, and keep it only when it helps. Back, ${WAY_BACK}.`,
    'on-not-measured': () =>
      `To try it, as root: echo ${OFF} > ${FILE}; measure before and after. Back, ${WAY_BACK}.`,
  },
});

const REASONS = Object.freeze({
  'not permitted': `${FILE} is shown to root only, and on a locked-down kernel to nobody`,
  'not mounted': 'debugfs is not mounted here',
  readable: `${FILE} does not name it`,
});
