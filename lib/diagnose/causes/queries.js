'use strict';

const { count, many, percent } = require('../../base/pure/units');

/**
 * @import { CauseCandidate, CauseCase } from '../cause'
 * @import { Metrics } from '../../server/pure/metrics'
 */

/** Documents examined in a second; fewer are no load (heuristic). */
const MANY_EXAMINED = 1000;
/**
 * Examined for each one that is returned or written (heuristic; MongoDB Atlas alerts at 1,000 for one
 * query, while this is of all of them: targeted reads beside it dilute it).
 */
const POOR_TARGETING = 20;
/** Documents of one query that reads everything (heuristic). */
const MANY_RETURNED = 100;
/** Up to so many it is a read of everything, such as a dump (heuristic). */
const ALL_RETURNED = 3;
/** Conflicts in a second, and for each document written (heuristic). */
const MANY_CONFLICTS = 20;
const CONFLICTS_PER_WRITE = 0.1;

/** @param {Metrics} metrics @returns {number | undefined} documents examined for each that is used */
function examinedPerUsed(metrics) {
  const { 'query.examinedPerSec': examined, 'documents.returnedPerSec': returned } = metrics;
  if (examined === undefined || returned === undefined) return undefined;
  return examined / Math.max(1, returned + (metrics['documents.writtenPerSec'] ?? 0));
}

/** Queries that examine far more than they return. @type {CauseCandidate} */
const scans = {
  kind: 'scans',
  of: ['cache-read', 'disk', 'cpu', 'concurrency', 'eviction-threads', 'cache-dirty', 'unknown'],
  examine(metrics) {
    const perUsed = examinedPerUsed(metrics);
    const examined = metrics['query.examinedPerSec'] ?? 0;
    if (perUsed === undefined || perUsed < POOR_TARGETING || examined < MANY_EXAMINED) return null;
    return {
      say: `queries examine ${many(perUsed, 'document')} for each one they return or write`,
      share: 1 - 1 / perUsed,
      evidence: examinedEvidence(metrics, examined),
      remedy: 'The query first: tune.who() names it, and the index to try where one helps.',
    };
  },
};

/** @param {Metrics} metrics @param {number} examined @returns {string[]} */
const examinedEvidence = (metrics, examined) => [
  `${many(examined, 'document')}/s examined, ` +
    `${count(metrics['documents.returnedPerSec'])}/s returned`,
  ...(metrics['query.scansPerSec']
    ? [`${many(metrics['query.scansPerSec'], 'collection scan')}/s`]
    : []),
];

/** Dumps, exports and reports: what they examine they return. @type {CauseCandidate} */
const fullReads = {
  kind: 'full-reads',
  of: ['cache-read', 'disk', 'unknown'],
  examine(metrics) {
    const perUsed = examinedPerUsed(metrics);
    const examined = metrics['query.examinedPerSec'] ?? 0;
    const perQuery = (metrics['documents.returnedPerSec'] ?? 0) / (metrics['ops.readsPerSec'] || 1);
    if (perUsed === undefined || perUsed > ALL_RETURNED || examined < MANY_EXAMINED) return null;
    if (perQuery < MANY_RETURNED) return null;
    return {
      say: `a dump, an export or a report reads whole collections (${many(perQuery, 'document')} a query)`,
      share: 1,
      evidence: examinedEvidence(metrics, examined),
      remedy:
        'Read from a hidden secondary, or at a quiet hour: tune.who() names the application. A ' +
        'larger cache does not help a read of everything.',
    };
  },
};

/** @type {CauseCandidate} */
const sortSpills = {
  kind: 'sort-spills',
  of: ['disk', 'cpu', 'cache-read', 'unknown'],
  examine(metrics) {
    const spills = metrics['query.sortSpills'] ?? 0;
    if (spills < 1) return null;
    return {
      say: `sorts were larger than their memory and spilled to disk ${many(spills, 'time')}`,
      share: null,
      evidence: [many(spills, 'spill')],
      remedy: 'An index on the sort fields first: tune.who() names the query.',
    };
  },
};

/** @type {CauseCandidate} */
const writeConflicts = {
  kind: 'write-conflicts',
  of: 'any',
  examine(metrics) {
    const conflicts = metrics['conflicts.perSec'] ?? 0;
    const written = metrics['documents.writtenPerSec'] ?? 0;
    if (conflicts < MANY_CONFLICTS || conflicts < CONFLICTS_PER_WRITE * written) return null;
    return /** @type {CauseCase} */ ({
      say: 'writes to the same few documents conflict, and each begins again',
      share: conflicts / (conflicts + written),
      evidence: [
        `${many(conflicts, 'write conflict')}/s, ${many(written, 'document')}/s written`,
        `${percent(conflicts / (conflicts + written))} of the attempts are lost`,
      ],
      remedy:
        'Spread these writes over several documents, or combine them: no setting removes ' +
        'conflicts. tune.who() names the collection.',
    });
  },
};

module.exports = { scans, fullReads, sortSpills, writeConflicts };
