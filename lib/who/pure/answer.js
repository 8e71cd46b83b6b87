'use strict';

const { growth, perSecond } = require('../../server/pure/growth');
const { metricsOf } = require('../../server/pure/metrics');
const { delta } = require('../../server/pure/window');
const { findCulprit } = require('./culprit');
const { presenceOf } = require('./groups');
const { sumBy } = require('./share-out');

/**
 * @import { Window } from '../../server/pure/window'
 * @import { Facts } from '../../server/pure/types'
 * @import { ActiveOperation, LoggedOperation, Lost } from '../types'
 * @import { CulpritCode } from './culprit'
 * @import { CollectionFacts, IndexToTry } from './index-to-try'
 * @import { Row, Shared } from './share-out'
 */

/**
 * One row of the answer. `share`: of all wait time, 0 to 1; `lost`: by what was waited for, seconds
 * of threads; `seconds`: of threads in the server; `seen`: where the figures come from.
 * @typedef {{
 *   kind: 'operation' | 'task', task: string | null, ns: string, app: string | null,
 *   operation: string, shape: string, plan: string | null, share: number, lostSeconds: number,
 *   lost: Lost, seconds: number, logged: number, examined: number | null, returned: number | null,
 *   readBytes: number | null, seen: 'logged' | 'sampled' | 'both'
 * }} WhoRow
 * @typedef {{
 *   code: CulpritCode, ns: string, app: string | null, task: string | null, shape: string,
 *   share: number, say: string, evidence: string[], remedy: string, explain: string | null,
 *   index: IndexToTry | null
 * }} WhoCulprit `explain`: the command that shows the plan, with <value> for each value
 * @typedef {{ name: string, lostSeconds: number, share: number }} WhoSum
 *
 * @typedef {{
 *   at: Date, host: string | null, version: string | null,
 *   window: { from: Date, to: Date, seconds: number },
 *   lostSeconds: number, lostThreads: number | null, lost: Lost, explainedRatio: number | null,
 *   culprit: WhoCulprit | null, rows: WhoRow[], hiddenRows: number,
 *   unseen: { lostSeconds: number, share: number },
 *   namespaces: WhoSum[], applications: WhoSum[], tasks: WhoSum[],
 *   sources: { operationSamples: number | null, slowOperations: number | null, profiled: number },
 *   ended: 'complete' | 'interrupted' | 'lost', notes: string[]
 * }} WhoAnswer `lostSeconds`: seconds of application threads that waited, as the engine counted
 *   them; `explainedRatio`: how much of them the rows account for, null: nothing was lost;
 *   `unseen`: the rest; `sources`: null: refused
 */

const MAX_ROWS = 50;
const MAX_SUMS = 10;

/**
 * @param {{
 *   facts: Facts, window: Window, shared: Shared, collections: Map<string, CollectionFacts>,
 *   betweenSeconds: number,
 *   seen: {
 *     operations: ActiveOperation[][] | null, logged: LoggedOperation[] | null, profiled: number,
 *     notes: string[], before: Map<string, CollectionFacts>, ended: 'complete' | 'interrupted' | 'lost'
 *   }
 * }} all
 * @returns {WhoAnswer}
 */
function answerOf({ facts, window, shared, seen, collections, betweenSeconds }) {
  const { lostSeconds, unseenSeconds, rows } = shared;
  const ofLost = (/** @type {number} */ seconds) => (lostSeconds === 0 ? 0 : seconds / lostSeconds);
  const metrics = metricsOf(window, facts, ['conflicts.perSec', 'ops.writesPerSec']);
  const culprit = findCulprit(shared, {
    seconds: window.seconds,
    readBytes: delta(window, 'cache.readBytes') ?? null,
    conflictsPerSec: metrics['conflicts.perSec'] ?? null,
    writesPerSec: metrics['ops.writesPerSec'] ?? null,
    readPerSec: (ns) => readPerSec(seen.before.get(ns), collections.get(ns), betweenSeconds),
    collection: (ns) => collections.get(ns) ?? null,
  });
  const first =
    culprit === null ? rows : [culprit.row, ...rows.filter((row) => row !== culprit.row)];
  return {
    at: window.to,
    host: facts.host,
    version: facts.version,
    window: { from: window.from, to: window.to, seconds: window.seconds },
    lostSeconds,
    lostThreads: window.seconds === 0 ? null : lostSeconds / window.seconds,
    lost: shared.lost,
    explainedRatio: lostSeconds === 0 ? null : 1 - ofLost(unseenSeconds),
    culprit: culprit && culpritOf(culprit),
    rows: first.slice(0, MAX_ROWS).map(rowOf),
    hiddenRows: Math.max(0, rows.length - MAX_ROWS),
    unseen: { lostSeconds: unseenSeconds, share: ofLost(unseenSeconds) },
    namespaces: sumBy(rows, 'ns').slice(0, MAX_SUMS),
    applications: sumBy(rows, 'app').slice(0, MAX_SUMS),
    tasks: sumBy(rows, 'task').slice(0, MAX_SUMS),
    sources: {
      operationSamples: seen.operations && seen.operations.length,
      slowOperations: seen.logged && seen.logged.length,
      profiled: seen.profiled,
    },
    ended: seen.ended,
    notes: seen.notes,
  };
}

/**
 * @param {CollectionFacts | undefined} before
 * @param {CollectionFacts | undefined} after
 * @param {number} seconds
 * @returns {number | null} bytes; null: not known
 */
function readPerSec(before, after, seconds) {
  return perSecond(growth(before?.readBytes, after?.readBytes), seconds) ?? null;
}

/** @param {NonNullable<ReturnType<typeof findCulprit>>} culprit @returns {WhoCulprit} */
const culpritOf = ({ code, row, share, say, evidence, remedy, explain, index }) => ({
  code,
  ns: row.ns,
  app: row.app,
  task: row.task,
  shape: row.shape,
  share,
  say,
  evidence,
  remedy,
  explain,
  index,
});

/** @param {Row} row @returns {WhoRow} */
function rowOf(row) {
  const { kind, task, ns, app, operation, shape, plan, share, lostSeconds, lost, logged } = row;
  const isSampled = row.sampledSeconds > 0;
  return {
    kind,
    task,
    ns,
    app,
    operation,
    shape,
    plan,
    share,
    lostSeconds,
    lost,
    seconds: presenceOf(row),
    logged,
    examined: logged > 0 ? row.examined : null,
    returned: logged > 0 ? row.returned : null,
    readBytes: logged > 0 ? row.readBytes : null,
    seen: seenIn(logged > 0, isSampled),
  };
}

/** @param {boolean} isLogged @param {boolean} isSampled @returns {WhoRow['seen']} */
function seenIn(isLogged, isSampled) {
  if (isLogged && isSampled) return 'both';
  return isLogged ? 'logged' : 'sampled';
}

module.exports = { answerOf };
