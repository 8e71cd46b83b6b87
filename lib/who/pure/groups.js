'use strict';

const { MS_PER_SECOND } = require('../../base/pure/units');

/**
 * @import { ActiveOperation, Group, LoggedOperation } from '../types'
 */

/**
 * All operations of one shape, namespace and application as one group, and each task of the server
 * with its namespace.
 * @param {{
 *   logged: readonly LoggedOperation[], samples: readonly (readonly ActiveOperation[])[],
 *   fromMs: number, toMs: number
 * }} seen `samples`: the operations in the server at moments that are evenly apart
 * @returns {Group[]}
 */
function groupOperations({ logged, samples, fromMs, toMs }) {
  /** @type {Map<string, Group>} */ const groups = new Map();
  for (const operation of withoutDoubles(logged)) {
    const part = overlap(operation, fromMs, toMs);
    if (part > 0) addLogged(groupOf(groups, operation), operation, part);
  }
  const each = samples.length === 0 ? 0 : (toMs - fromMs) / MS_PER_SECOND / samples.length;
  for (const operation of samples.flat()) addSampled(groupOf(groups, operation), operation, each);
  return joinTasks([...groups.values()]);
}

/**
 * $currentOp does not show of which collection a thread of the server is at work; where the log names
 * a single one, it is that.
 * @param {Group[]} groups
 * @returns {Group[]}
 */
function joinTasks(groups) {
  return groups.flatMap((group) => {
    if (group.task === null) return [group];
    const same = groups.filter(({ task }) => task === group.task);
    if (same.length !== 2 || same.every(({ ns }) => ns !== '')) return [group];
    if (group.ns === '') return [];
    const [{ sampledSeconds, waitingSeconds }] = same.filter(({ ns }) => ns === '');
    return [
      {
        ...group,
        sampledSeconds: group.sampledSeconds + sampledSeconds,
        waitingSeconds: group.waitingSeconds + waitingSeconds,
      },
    ];
  });
}

/** The part of an operation that lies in the window, 0 to 1. */
function overlap(/** @type {LoggedOperation} */ { endMs, ms }, fromMs = 0, toMs = 0) {
  if (ms === 0) return endMs >= fromMs && endMs <= toMs ? 1 : 0;
  return Math.max(0, Math.min(endMs, toMs) - Math.max(endMs - ms, fromMs)) / ms;
}

/**
 * A command of several writes is logged after those of its writes that are slow by themselves: what
 * is left is the time of the others.
 * @param {readonly LoggedOperation[]} logged
 * @returns {LoggedOperation[]}
 */
function withoutDoubles(logged) {
  /** @type {Map<string, LoggedOperation[]>} */ const writes = new Map();
  return logged
    .toSorted((a, b) => a.endMs - b.endMs)
    .flatMap((operation) => {
      const before = writes.get(operation.thread) ?? [];
      if (!operation.isWrapper) {
        writes.set(operation.thread, [...before.slice(-MAX_INNER), operation]);
        return [operation];
      }
      writes.delete(operation.thread);
      const began = operation.endMs - operation.ms;
      const inner = before.filter(({ endMs, ms }) => endMs - ms >= began - CLOCK_MS);
      const rest = operation.ms - inner.reduce((total, { ms }) => total + ms, 0);
      return rest > CLOCK_MS * (inner.length + 1) || inner.length === 0
        ? [{ ...operation, ms: Math.max(0, rest) }]
        : [];
    });
}

/** Milliseconds: durations are rounded, and an entry is written a little after its end. */
const CLOCK_MS = 5;
/** Writes of one command that are remembered: its maximum (maxWriteBatchSize is 100,000). */
const MAX_INNER = 1000;

/**
 * @param {Map<string, Group>} groups
 * @param {LoggedOperation | ActiveOperation} operation
 * @returns {Group}
 */
function groupOf(groups, { task, shape, ns, app }) {
  const key = JSON.stringify(task === null ? [shape.kind, shape.text, ns, app] : [task, ns]);
  const known = groups.get(key);
  if (known) return known;
  const group = {
    ...EMPTY,
    kind: /** @type {Group['kind']} */ (task === null ? 'operation' : 'task'),
    task,
    shape: shape.text,
    operation: shape.kind,
    ns,
    app,
    fields: shape.fields,
  };
  groups.set(key, group);
  return group;
}

const EMPTY = Object.freeze({
  logged: 0,
  loggedSeconds: 0,
  queuedSeconds: 0,
  accountedSeconds: 0,
  readSeconds: 0,
  cacheSeconds: 0,
  majoritySeconds: 0,
  readBytes: 0,
  examined: 0,
  returned: 0,
  sampledSeconds: 0,
  waitingSeconds: 0,
  plan: /** @type {string | null} */ (null),
  usedDisk: false,
  writeConflicts: 0,
  progressRatio: /** @type {number | null} */ (null),
});

/** @param {Group} group @param {LoggedOperation} operation @param {number} part */
function addLogged(group, operation, part) {
  group.logged += 1;
  group.loggedSeconds += (operation.ms * part) / MS_PER_SECOND;
  group.queuedSeconds += (operation.queuedMs * part) / MS_PER_SECOND;
  if (operation.isAccounted)
    group.accountedSeconds += ((operation.ms - operation.queuedMs) * part) / MS_PER_SECOND;
  group.readSeconds += (operation.readMs * part) / MS_PER_SECOND;
  group.cacheSeconds += (operation.cacheMs * part) / MS_PER_SECOND;
  group.majoritySeconds += (operation.majorityMs * part) / MS_PER_SECOND;
  group.readBytes += operation.readBytes * part;
  group.examined += operation.examined ?? 0;
  group.returned += operation.returned ?? 0;
  group.writeConflicts += operation.writeConflicts;
  group.plan = worsePlan(group.plan, operation.plan);
  group.usedDisk ||= operation.usedDisk;
}

/** @param {Group} group @param {ActiveOperation} operation @param {number} seconds */
function addSampled(group, operation, seconds) {
  group.sampledSeconds += seconds;
  if (operation.isWaiting) group.waitingSeconds += seconds;
  group.plan = worsePlan(group.plan, operation.plan);
  if (group.logged === 0) group.writeConflicts += operation.writeConflicts;
  group.progressRatio = operation.progressRatio ?? group.progressRatio;
}

/** @param {string | null} a @param {string | null} b */
const worsePlan = (a, b) => (b?.includes('COLLSCAN') ? b : (a ?? b));

const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify', 'findandmodify']);
/** @param {Pick<Group, 'operation'>} group */
const isWrite = ({ operation }) => WRITES.has(operation);

/** Seconds of threads that a group was in the server. @param {Group} group */
const presenceOf = ({ loggedSeconds, sampledSeconds }) => Math.max(loggedSeconds, sampledSeconds);

/** Seconds of threads that did not wait for a lock or a ticket: those that hold them. @param {Group} group */
const runningOf = (group) =>
  Math.max(0, presenceOf(group) - Math.max(group.waitingSeconds, group.queuedSeconds));

module.exports = { groupOperations, isWrite, presenceOf, runningOf };
