'use strict';

const { duration, MS_PER_SECOND } = require('../../base/pure/units');
const { defineRule } = require('../rule');

// storage.syncPeriodSecs
const DEFAULT_SECONDS = 60;

module.exports = defineRule({
  id: 'checkpoint-interval',
  area: 'checkpoint',
  title: 'Checkpoints longer than the time between them',
  why:
    'mongod waits syncdelay seconds after the end of a checkpoint before it begins the next. A ' +
    'checkpoint that takes as long as that runs half of the time or more, and the interval no ' +
    'longer sets the pace. A longer interval makes each one larger; a shorter one did not make ' +
    'them easier on the clients.',
  needs: ['checkpoint.windowMaxMs', 'config.syncdelaySeconds'],
  evidence: ['checkpoint.windowMaxMs', 'config.syncdelaySeconds'],
  threshold:
    'Warning when the checkpoint took at least syncdelay seconds. Information when that is not ' +
    `the default of ${DEFAULT_SECONDS}.`,
  source:
    'MongoDB manual, storage.syncPeriodSecs; IBM-Z (the interval did not help), iiBench ' +
    '(writes stopped for a minute and more with 900 s); docs/evidence/stalls.md, ' +
    'docs/evidence/do-nothing.md',
  advice:
    'Have less dirty data per checkpoint or a faster disk; see checkpoint-duration. A ' +
    'shorter interval has no effect while checkpoints are longer than it.',
  whenNot:
    'Do not set syncdelay at run time and trust the read-back: 6.0 accepts it, shows it and ' +
    'goes on as before. Set storage.syncPeriodSecs and restart.',
  speaksFor: ['checkpoint'],
  check({ 'checkpoint.windowMaxMs': checkpointMs, 'config.syncdelaySeconds': seconds }) {
    const values = { checkpointMs, intervalMs: seconds * MS_PER_SECOND };
    if (seconds === 0) return { status: 'info', code: 'switched-off', values };
    if (checkpointMs >= values.intervalMs)
      return { status: 'warning', code: 'half-of-the-time', values };
    if (seconds === DEFAULT_SECONDS) return { status: 'ok', code: 'default', values };
    const code = seconds < DEFAULT_SECONDS ? 'shorter' : 'longer';
    return { status: 'info', code, values };
  },
  messages: {
    default: (values) => `${pace(values)}.`,
    'switched-off': () => "No checkpoints are made of the server's own accord: syncdelay is 0.",
    'half-of-the-time': (values) => `${pace(values)}: checkpoints run half of the time or more.`,
    shorter: (values) =>
      `${pace(values)} instead of the usual ${DEFAULT_SECONDS} s: a shorter interval did not ` +
      'help where it was measured.',
    longer: (values) =>
      `${pace(values)} instead of the usual ${DEFAULT_SECONDS} s: each has more to write, and a ` +
      'crash more to replay.',
  },
  adviceFor: {
    'switched-off': () =>
      'Set storage.syncPeriodSecs to 60 and restart: without checkpoints the journal grows ' +
      'without end.',
    shorter: () => RETURN,
    longer: () => RETURN,
  },
});

const RETURN =
  'Return to the default where no measurement of your own speaks for the other value: ' +
  `storage.syncPeriodSecs ${DEFAULT_SECONDS}, and a restart.`;

/** A checkpoint and the pause after it. @param {{ checkpointMs: number, intervalMs: number }} of */
const pace = ({ checkpointMs, intervalMs }) =>
  `A checkpoint took ${duration(checkpointMs)}, and the next begins ${duration(intervalMs)} ` +
  'after its end';
