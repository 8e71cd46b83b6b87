'use strict';

const {
  MS_PER_SECOND,
  bytes,
  duration,
  secondsText,
  percent,
  shortPercent,
} = require('../../base/pure/units');
const { defineCollectionRule } = require('../rule');
const { sources, manual } = require('../sources');

/** @import { Oplog } from '../../server/types' */

const HOUR = 3600;
// Seconds. A member that is down over a night, and one down over a weekend's first day, catch up
// (heuristics; MongoDB's own health check reports less than 48 hours).
const SHORT_SECONDS = 24 * HOUR;
const NOTED_SECONDS = 48 * HOUR;
// Before an oplog is full, it only reaches back to its creation.
const FULL_RATIO = 0.9;

module.exports = defineCollectionRule({
  id: 'oplog-window',
  title: 'The oplog holds few hours',
  why:
    'A member that is down for longer than the oplog reaches back must copy all data again. Backups ' +
    'and change streams depend on it as well.',
  needs: ['oplog'],
  threshold:
    `Warning: it is full and holds less than ${secondsText(SHORT_SECONDS)}. Information: less than ` +
    `${secondsText(NOTED_SECONDS)}, or less than ${secondsText(SHORT_SECONDS)} at the present rate. ` +
    `Full: ${shortPercent(FULL_RATIO)} of its size.`,
  source: sources(
    manual('Replica Set Oplog', 'manual/core/replica-set-oplog/'),
    'the hours are heuristics',
  ),
  advice:
    'Make it larger on each member: db.adminCommand({ replSetResizeOplog: 1, size: Double(<MB>) }). ' +
    'Its option minRetentionHours keeps at least that many hours, at the cost of disk space.',
  whenNot:
    'A bulk load makes the window short while it runs. Where each member is back within an hour, ' +
    'less is enough.',
  check({ oplog }) {
    const { maxBytes, dataBytes, heldSeconds, bytesPerSec, secondsAtPace } = oplog;
    const values = { maxBytes, dataBytes, heldSeconds, bytesPerSec, secondsAtPace };
    const evidence = { ...values };
    const isFull = Number(dataBytes) >= FULL_RATIO * Number(maxBytes);
    if (isFull && heldSeconds !== null && heldSeconds < SHORT_SECONDS)
      return { status: 'warning', code: 'short', values, evidence };
    if (secondsAtPace !== null && secondsAtPace < SHORT_SECONDS)
      return { status: 'info', code: 'short-at-rate', values, evidence };
    if (isFull && heldSeconds !== null && heldSeconds < NOTED_SECONDS)
      return { status: 'info', code: 'noted', values, evidence };
    return { status: 'ok', code: 'fine', values, evidence };
  },
  messages: {
    fine: (values) => holds(values),
    noted: (values) => holds(values),
    short: (values) => holds(values),
    'short-at-rate': ({ maxBytes, secondsAtPace, bytesPerSec }) =>
      `At the present rate (${bytes(bytesPerSec)}/s) an oplog of ${bytes(maxBytes)} holds ` +
      `${duration(Number(secondsAtPace) * MS_PER_SECOND)}.`,
  },
});

/** @param {Oplog} oplog */
function holds({ maxBytes, dataBytes, heldSeconds, secondsAtPace }) {
  const used = maxBytes && dataBytes !== null ? `, ${percent(dataBytes / maxBytes)} full` : '';
  const reach =
    heldSeconds === null
      ? 'has no known reach'
      : `reaches back ${duration(heldSeconds * MS_PER_SECOND)}`;
  const pace =
    secondsAtPace === null
      ? ''
      : `; at the present rate it holds ${duration(secondsAtPace * MS_PER_SECOND)}`;
  return `The oplog (${maxBytes === null ? 'of unknown size' : bytes(maxBytes)}${used}) ${reach}${pace}.`;
}
