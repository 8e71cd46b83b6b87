'use strict';

const { testRule } = require('../../../support/rule-tester');

const seen = (
  /** @type {number} */ number,
  /** @type {number} */ seconds = 60,
  /** @type {number} */ delay = 60,
) => ({ 'checkpoint.seen': number, 'window.seconds': seconds, 'config.syncdelaySeconds': delay });

testRule(__filename, [
  ['one a minute', seen(1), 'ok', /1 checkpoint ended in 60 s, with syncdelay at 60 s/],
  ['two are chance', seen(2, 10), 'ok'],
  ['three are not', seen(3, 10), 'info', /3 checkpoints ended in 10 s/, /checkpoint=\(wait=0\)/],
  ['half of syncdelay apart', seen(3, 90), 'ok'],
  ['closer', seen(3, 89.9), 'info'],
  ['a short interval of its own', seen(10, 60, 6), 'ok'],
  ['without an interval nothing can be said', seen(3, 600, 0), 'ok'],
]);
