'use strict';

const { toNumber } = require('../../base/pure/numbers');
const { isObject, shapeOf, taskOf, waitsForBuilder } = require('./operation-kind');
const { appOf, namespaceOf } = require('./slow-log');

/**
 * @import { ActiveOperation } from '../types'
 */

/**
 * Operations in the server at one moment. Without idle connections, and only what is used of each,
 * so that a server with thousands of them has little to answer.
 */
const MAX_OPERATIONS = 1000;
const CURRENT_OPERATIONS = Object.freeze({
  aggregate: 1,
  pipeline: [
    { $currentOp: { allUsers: true, idleConnections: false } },
    { $match: { active: true } },
    { $limit: MAX_OPERATIONS },
    {
      $project: Object.fromEntries(
        [
          'desc',
          'appName',
          'op',
          'ns',
          'opid',
          'command',
          'originatingCommand',
          'cursor.originatingCommand',
          'cursor.awaitData',
          'planSummary',
          'waitingForLock',
          'currentQueue',
          'locks',
          'progress',
          'msg',
          'writeConflicts',
          'numYields',
        ].map((field) => [field, 1]),
      ),
    },
  ],
  cursor: { batchSize: MAX_OPERATIONS },
});

/** Commands that only wait for news, and our own. */
const WAITING = new Set(['hello', 'isMaster', 'ismaster', 'replSetHeartbeat', 'serverStatus']);

/**
 * @param {readonly any[]} documents of $currentOp
 * @returns {ActiveOperation[]} those that do something
 */
const operationsIn = (documents) => documents.flatMap((doc) => operationIn(doc) ?? []);

/** @param {any} doc @returns {ActiveOperation | null} */
function operationIn(doc) {
  const command = doc.command ?? {};
  const [name = ''] = Object.keys(command);
  const thread = textOf(doc.desc) ?? '';
  const shape = shapeIn(doc, command);
  const app = appOf(doc.appName);
  const task = taskOf({ thread, app, kind: shape.kind });
  if (isOfNoLoad(doc, name, thread) || (doc.op === 'none' && !isAtWork(doc, task))) return null;
  return {
    shape,
    ns: namespaceOf(String(doc.ns ?? ''), command, name),
    app,
    task,
    opid: String(doc.opid),
    plan: textOf(doc.planSummary),
    isWaiting: doc.waitingForLock === true || isObject(doc.currentQueue),
    progressRatio: progressIn(doc.progress),
    writeConflicts: toNumber(doc.writeConflicts) ?? 0,
  };
}

/** @param {any} doc @param {any} command */
const shapeIn = ({ op, cursor, originatingCommand }, command) =>
  op === 'none'
    ? NO_COMMAND
    : shapeOf(command, {
        type: String(op),
        originating: cursor?.originatingCommand ?? originatingCommand,
      });

/** Longer plans are cut. @param {unknown} value @returns {string | null} */
const textOf = (value) => (typeof value === 'string' ? value.slice(0, 120) : null);

const NO_COMMAND = Object.freeze({ kind: 'none', text: '', fields: null });

/**
 * Threads of the server are always active: those with locks do something.
 * @param {any} doc @param {string | null} task
 */
const isAtWork = ({ locks }, task) => task !== null && Object.keys(locks ?? {}).length > 0;

/**
 * Waits for news, or for a builder of indexes, which is another thread; or is our own sample.
 * @param {any} doc @param {string} name @param {string} thread
 */
const isOfNoLoad = (doc, name, thread) =>
  WAITING.has(name) ||
  isOwn(doc.command ?? {}) ||
  isUnread(doc, name) ||
  awaitsData(doc) ||
  waitsForBuilder(doc.command, thread);

/** Its command is not parsed yet. @param {any} doc @param {string} name */
const isUnread = ({ op, ns }, name) => op !== 'none' && name === '' && !ns;

/** @param {any} command */
const isOwn = ({ pipeline }) => Array.isArray(pipeline) && pipeline[0]?.$currentOp !== undefined;

/** The oplog's readers and change streams. @param {any} doc */
const awaitsData = ({ cursor, ns, op }) =>
  cursor?.awaitData === true || (op === 'getmore' && ns === 'local.oplog.rs');

/** @param {any} progress */
function progressIn(progress) {
  const [done, total] = [toNumber(progress?.done), toNumber(progress?.total)];
  return done === undefined || !total ? null : Math.min(1, done / total);
}

module.exports = { operationsIn, CURRENT_OPERATIONS, MAX_OPERATIONS };
