'use strict';

const { duration, MS_PER_SECOND } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { many } = require('../../signals/words');

// Two may fall into a window by chance, whatever the interval.
const MIN_SEEN = 3;
// mongod waits syncdelay after each; a mean distance of half of that is not its own doing. Heuristic.
const OFTEN_RATIO = 0.5;

module.exports = defineRule({
  id: 'second-checkpointer',
  area: 'settings',
  title: 'Extra checkpoint thread configured',
  why:
    'OPPO made checkpoints more often with checkpoint=(wait=25,log_size=1GB). On the servers ' +
    "of today that sets nothing right: it starts a thread of WiredTiger's own, which makes " +
    "checkpoints beside mongod's.",
  needs: ['checkpoint.seen', 'window.seconds', 'config.syncdelaySeconds'],
  evidence: ['checkpoint.seen', 'window.seconds', 'config.syncdelaySeconds'],
  threshold:
    `At least ${MIN_SEEN} checkpoints in the window, on average less than half of syncdelay ` +
    'apart: information.',
  source: 'OPPO (checkpoint=(wait=25)); docs/evidence/do-nothing.md',
  advice:
    'Look for checkpoint=( in storage.wiredTiger.engineConfig.configString and in what was ' +
    'set at run time (tune.history(), tune.settings()), and take it out.',
  whenNot:
    'Backups, db.fsyncLock() and the fsync command make checkpoints of their own, on purpose.',
  check({
    'checkpoint.seen': checkpoints,
    'window.seconds': seconds,
    'config.syncdelaySeconds': syncdelaySeconds,
  }) {
    const values = { checkpoints, seconds, syncdelaySeconds };
    return checkpoints < MIN_SEEN || seconds / checkpoints >= syncdelaySeconds * OFTEN_RATIO
      ? { status: 'ok', code: 'fine', values }
      : { status: 'info', code: 'too-often', values };
  },
  messages: {
    fine: (values) => `${number(values)}.`,
    'too-often': (values) => `${number(values)}: more than mongod makes by itself.`,
  },
  adviceFor: {
    'too-often': () =>
      'Look for checkpoint=( in the configuration string of the storage engine: it starts ' +
      'a second checkpoint thread. To stop that until the next start: db.adminCommand({ ' +
      'setParameter: 1, wiredTigerEngineRuntimeConfig: "checkpoint=(wait=0)" })',
  },
});

/** How many there were. @param {Record<'checkpoints' | 'seconds' | 'syncdelaySeconds', number>} of */
const number = ({ checkpoints, seconds, syncdelaySeconds }) =>
  `${many(checkpoints, 'checkpoint')} ended in ${duration(seconds * MS_PER_SECOND)}, with ` +
  `syncdelay at ${duration(syncdelaySeconds * MS_PER_SECOND)}`;
