'use strict';

const { duration } = require('../../base/pure/units');
const { defineRule } = require('../define-rule');

// storage.syncPeriodSecs
const DEFAULT_SECONDS = 60;

module.exports = defineRule({
  id: 'checkpoint-interval',
  area: 'checkpoint',
  title: 'The time between checkpoints',
  why:
    'mongod waits syncdelay seconds after the end of a checkpoint before it begins the next. A ' +
    'checkpoint that takes as long as that runs half of the time or more, and the interval no ' +
    'longer sets the pace. A longer interval makes each one larger; a shorter one did not make ' +
    'them easier on the clients.',
  needs: ['checkpoint.windowMaxMs', 'config.syncdelaySeconds'],
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
  check({ 'checkpoint.windowMaxMs': ms, 'config.syncdelaySeconds': delay }) {
    const evidence = { 'checkpoint.windowMaxMs': ms, 'config.syncdelaySeconds': delay };
    if (delay === 0)
      return {
        status: 'info',
        say: "No checkpoints are made of the server's own accord: syncdelay is 0.",
        evidence,
        advice:
          'Set storage.syncPeriodSecs to 60 and restart: without checkpoints the journal ' +
          'grows without end.',
      };
    const say = `A checkpoint took ${duration(ms)}, and the next begins ${duration(delay * 1000)} after its end`;
    if (ms >= delay * 1000)
      return {
        status: 'warning',
        say: `${say}: checkpoints run half of the time or more.`,
        evidence,
      };
    if (delay === DEFAULT_SECONDS) return { status: 'ok', say: `${say}.`, evidence };
    return {
      status: 'info',
      say: `${say} instead of the usual ${DEFAULT_SECONDS} s: ${inVain(delay)}.`,
      evidence,
      advice:
        'Return to the default where no measurement of your own speaks for the other value: ' +
        `storage.syncPeriodSecs ${DEFAULT_SECONDS}, and a restart.`,
    };
  },
});

/** @param {number} delay seconds */
const inVain = (delay) =>
  delay < DEFAULT_SECONDS
    ? 'a shorter interval did not help where it was measured'
    : 'each has more to write, and a crash more to replay';
