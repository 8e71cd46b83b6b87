'use strict';

const { duration, MS_PER_SECOND, many } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { sources, measured, OPPO } = require('../sources');

// Two may fall into a window by chance, whatever the interval.
const MIN_SEEN = 3;
// mongod waits syncdelay after each; a mean distance of half of that is not its own doing. Heuristic.
const OFTEN_RATIO = 0.5;

module.exports = defineRule({
  id: 'second-checkpointer',
  area: 'settings',
  title: 'Extra checkpoint thread configured',
  why:
    'A published setting, checkpoint=(wait=25,log_size=1GB), was meant to make checkpoints ' +
    'more frequent. On current servers it starts a second checkpoint thread of WiredTiger ' +
    'beside the one of mongod.',
  needs: ['checkpoint.seen', 'window.seconds', 'config.syncdelaySeconds'],
  wants: ['member.changed'],
  evidence: ['checkpoint.seen', 'window.seconds', 'config.syncdelaySeconds'],
  threshold:
    `Information: at least ${MIN_SEEN} checkpoints in the window, on average less than half of ` +
    'syncdelay apart.',
  source: sources(OPPO, measured('do-nothing')),
  advice:
    'Search for checkpoint=( in storage.wiredTiger.engineConfig.configString and in run-time ' +
    'changes (tune.history(), tune.settings()), and remove it.',
  whenNot:
    'Backups, db.fsyncLock() and the fsync command start checkpoints deliberately. So do an ' +
    'initial sync, the start of a replica set and an election: then the rule is silent.',
  check({
    'checkpoint.seen': checkpoints,
    'window.seconds': seconds,
    'config.syncdelaySeconds': syncdelaySeconds,
    'member.changed': changed = 0,
  }) {
    const values = { checkpoints, seconds, syncdelaySeconds };
    return changed > 0 ||
      checkpoints < MIN_SEEN ||
      seconds / checkpoints >= syncdelaySeconds * OFTEN_RATIO
      ? { status: 'ok', code: 'fine', values }
      : { status: 'info', code: 'too-often', values };
  },
  messages: {
    fine: (values) => `${number(values)}.`,
    'too-often': (values) => `${number(values)}: more than mongod starts by itself.`,
  },
  adviceFor: {
    'too-often': () =>
      'Remove checkpoint=( from the configuration string of the storage engine: it starts a ' +
      'second checkpoint thread. To stop it until the next restart: db.adminCommand({ ' +
      'setParameter: 1, wiredTigerEngineRuntimeConfig: "checkpoint=(wait=0)" })',
  },
});

/** @param {Record<'checkpoints' | 'seconds' | 'syncdelaySeconds', number>} of */
const number = ({ checkpoints, seconds, syncdelaySeconds }) =>
  `${many(checkpoints, 'checkpoint')} in ${duration(seconds * MS_PER_SECOND)} ` +
  `(syncdelay ${duration(syncdelaySeconds * MS_PER_SECOND)})`;
