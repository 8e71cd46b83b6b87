'use strict';

const { testRule } = require('../../../support/rule-tester');

const seen = (
  /** @type {number} */ number,
  /** @type {number} */ seconds = 60,
  /** @type {number} */ delay = 60,
) => ({ 'checkpoint.seen': number, 'window.seconds': seconds, 'config.syncdelaySeconds': delay });

testRule(__filename, [
  ['one a minute', seen(1), 'ok', 'fine', { checkpoints: 1, seconds: 60, syncdelaySeconds: 60 }],
  ['two are chance', seen(2, 10), 'ok', 'fine'],
  ['three are not', seen(3, 10), 'info', 'too-often', { checkpoints: 3, seconds: 10 }],
  [
    'an initial sync, an election, or a new set',
    { ...seen(3, 10), 'member.changed': 1 },
    'ok',
    'fine',
  ],
  ['a member that stays what it is', { ...seen(3, 10), 'member.changed': 0 }, 'info', 'too-often'],
  ['half of syncdelay apart', seen(3, 90), 'ok', 'fine'],
  ['closer', seen(3, 89.9), 'info', 'too-often'],
  ['a short interval of its own', seen(10, 60, 6), 'ok', 'fine'],
  ['without an interval nothing can be said', seen(3, 600, 0), 'ok', 'fine'],
]);
