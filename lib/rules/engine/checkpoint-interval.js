'use strict';

const { duration, MS_PER_SECOND } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { sources, option, measured, S390X, IIBENCH } = require('../sources');

// storage.syncPeriodSecs
const DEFAULT_SECONDS = 60;
// From this release on a running server obeys a new value (checkpointer.cpp); see versionNumber.
const LIVE_SINCE = 80_000;

module.exports = defineRule({
  id: 'checkpoint-interval',
  area: 'checkpoint',
  title: 'Checkpoints longer than the time between them',
  why:
    'mongod starts a checkpoint syncdelay seconds after the last one ended. If a checkpoint ' +
    'takes that long, checkpoints run half of the time or more. A longer interval makes each ' +
    'one larger. A shorter one did not help clients in tests.',
  needs: ['checkpoint.windowMaxMs', 'config.syncdelaySeconds'],
  wants: ['server.versionNumber'],
  evidence: ['checkpoint.windowMaxMs', 'config.syncdelaySeconds'],
  threshold:
    'Warning: a checkpoint takes at least syncdelay seconds, or syncdelay is 0. Information: ' +
    `syncdelay is not the default of ${DEFAULT_SECONDS}.`,
  source: sources(
    option('storage.syncPeriodSecs'),
    S390X,
    IIBENCH,
    measured('stalls'),
    measured('do-nothing'),
  ),
  advice:
    'Reduce dirty data per checkpoint or use a faster disk: see checkpoint-duration. A shorter ' +
    'interval has no effect while checkpoints take longer than the interval.',
  whenNot:
    'Do not set syncdelay at run time before 8.0: MongoDB 6.0 accepts and reports the value but ' +
    'keeps the old interval. Set storage.syncPeriodSecs and restart. From 8.0 on it takes effect ' +
    'at the next pause.',
  speaksFor: ['checkpoint'],
  check({
    'checkpoint.windowMaxMs': checkpointMs,
    'config.syncdelaySeconds': seconds,
    'server.versionNumber': version = 0,
  }) {
    const values = {
      checkpointMs,
      intervalMs: seconds * MS_PER_SECOND,
      isLive: version >= LIVE_SINCE,
    };
    if (seconds === 0) return { status: 'warning', code: 'switched-off', values };
    if (checkpointMs >= values.intervalMs)
      return { status: 'warning', code: 'half-of-the-time', values };
    if (seconds === DEFAULT_SECONDS) return { status: 'ok', code: 'default', values };
    const code = seconds < DEFAULT_SECONDS ? 'shorter' : 'longer';
    return { status: 'info', code, values };
  },
  messages: {
    default: (values) => `${pace(values)}.`,
    'switched-off': () => 'syncdelay is 0: mongod starts no periodic checkpoints.',
    'half-of-the-time': (values) => `${pace(values)}: checkpoints run half of the time or more.`,
    shorter: (values) =>
      `${pace(values)} (default ${DEFAULT_SECONDS} s): a shorter interval did not help in ` +
      'tests.',
    longer: (values) =>
      `${pace(values)} (default ${DEFAULT_SECONDS} s): each checkpoint writes more, and a ` +
      'crash replays more.',
  },
  adviceFor: {
    'switched-off': ({ isLive }) =>
      (isLive
        ? 'Run db.adminCommand({ setParameter: 1, syncdelay: 60 }) and check storage.syncPeriodSecs'
        : 'Set storage.syncPeriodSecs to 60 and restart') +
      ': without checkpoints the journal grows without limit.',
    shorter: () => RETURN,
    longer: () => RETURN,
  },
});

const RETURN =
  'Unless your own measurement supports this value, return to the default: set ' +
  `storage.syncPeriodSecs to ${DEFAULT_SECONDS} and restart.`;

/** A checkpoint and the pause after it. @param {{ checkpointMs: number, intervalMs: number }} of */
const pace = ({ checkpointMs, intervalMs }) =>
  `${checkpointMs === 0 ? 'No checkpoint completed yet; they start' : `A checkpoint took ${duration(checkpointMs)}; the next starts`} ` +
  `${duration(intervalMs)} after ${checkpointMs === 0 ? 'the last one ended' : 'its end'}`;
