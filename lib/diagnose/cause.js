'use strict';

const { isCalm } = require('../base/pure/finding');
const { showChange } = require('../config/change');
const { gateWords } = require('../signals/holders');
const applications = require('./causes/applications');
const tasks = require('./causes/tasks');
const { migrations, mirroredReads } = require('./causes/cluster');
const { ticketPools } = require('./causes/tickets');
const { diskLimit, memoryBesideCache, containerLimit } = require('./causes/machine');

/**
 * @import { Bottleneck, Finding } from '../base/pure/finding'
 * @import { Change } from '../base/types'
 * @import { Metrics } from '../server/pure/metrics'
 */

/**
 * Who or what makes the mechanism work that clients wait for.
 * @typedef {'scans' | 'full-reads' | 'sort-spills' | 'large-sorts' | 'write-conflicts' | 'ttl' | 'range-deleter' |
 *   'index-build' | 'forced-checkpoints' | 'cold-start' | 'connection-storm' | 'majority' |
 *   'large-transactions' | 'ticket-pools' | 'disk-limit' | 'memory-beside-cache' |
 *   'container-limit' | 'migrations' | 'mirrored-reads'} CauseKind
 * @typedef {{ say: string, share: number | null, evidence: string[], remedy: string }} CauseCase
 *   `share`: how much of it is this cause's, 0 to 1; null: not known
 * @typedef {{ kind: CauseKind } & CauseCase} Cause
 * @typedef {{
 *   kind: CauseKind, of: readonly Bottleneck[] | 'any',
 *   examine(metrics: Metrics): CauseCase | null
 * }} CauseCandidate `of`: the bottlenecks that it can be behind; 'any': of a calm engine, too
 */

/** The first candidate that holds is the cause: tasks that end by themselves, then queries. */
const CANDIDATES = Object.freeze(
  /** @type {readonly CauseCandidate[]} */ ([
    applications.largeTransactions,
    tasks.indexBuild,
    tasks.rangeDeleter,
    migrations,
    tasks.ttl,
    applications.scans,
    applications.fullReads,
    applications.sortSpills,
    applications.largeSorts,
    applications.largeScans,
    mirroredReads,
    ticketPools,
    tasks.forcedCheckpoints,
    applications.writeConflicts,
    applications.majority,
    applications.connectionStorm,
    tasks.coldStart,
    memoryBesideCache,
    diskLimit,
  ]),
);

/** Against these causes a setting does not help, or only until the cause grows. */
const BEFORE_SETTINGS = new Set([
  'scans',
  'full-reads',
  'sort-spills',
  'large-sorts',
  'cold-start',
]);

/**
 * @param {Bottleneck} bottleneck
 * @param {Metrics} metrics
 * @returns {Cause | null} null: none is known
 */
function findCause(bottleneck, metrics) {
  if (bottleneck === 'idle') return null;
  for (const { kind, of, examine } of CANDIDATES) {
    if (of !== 'any' && !of.includes(bottleneck)) continue;
    const found = examine(metrics);
    if (found !== null) return withGate({ kind, ...found }, metrics);
  }
  return null;
}

/** Long work, beside which short operations can go first. @type {ReadonlySet<CauseKind>} */
const LONG_WORK = new Set([
  'scans',
  'full-reads',
  'sort-spills',
  'large-sorts',
  'index-build',
  'ttl',
  'range-deleter',
]);

/** @param {Cause} cause @param {Metrics} metrics @returns {Cause} */
function withGate(cause, metrics) {
  const gate = LONG_WORK.has(cause.kind) ? gateWords(metrics) : null;
  return gate === null ? cause : { ...cause, remedy: `${cause.remedy} ${gate}` };
}

/**
 * A conclusion with its cause. Where the cause is a query, no setting is recommended before it.
 * @template {{ bottleneck: Bottleneck, change: Change | null, explain: string[] }} C
 * @param {C} conclusion
 * @param {Metrics} metrics
 * @returns {C & { cause: Cause | null, remedy: string | null }}
 */
function withCause(conclusion, metrics) {
  const cause = findCause(conclusion.bottleneck, metrics);
  const { change, explain } = conclusion;
  if (cause === null) return { ...conclusion, cause, remedy: null };
  const { remedy } = cause;
  if (change === null || !isBeforeSettings(cause)) return { ...conclusion, cause, remedy };
  return {
    ...conclusion,
    cause,
    remedy,
    change: null,
    explain: [`${showChange(change).slice(2, -2)} would only hide it.`, ...explain],
  };
}

/**
 * Adds a cause that only the machine shows. A cause that the server shows itself comes first.
 * @template {{
 *   bottleneck: Bottleneck, change: Change | null, cause: Cause | null, remedy: string | null,
 *   expected: object | null, explain: string[]
 * }} C
 * @param {C} conclusion
 * @param {readonly Finding[]} findings the findings about the machine
 * @returns {C}
 */
function withMachineCause(conclusion, findings) {
  // Where no client waits there is no cause to name.
  if (conclusion.cause !== null || isCalm(conclusion.bottleneck)) return conclusion;
  const cause = containerLimit(findings);
  if (cause === null) return conclusion;
  const { change, explain } = conclusion;
  const found = { ...conclusion, cause, remedy: cause.remedy };
  if (change?.cacheSizeGB === undefined) return found;
  const why = `A cache of ${change.cacheSizeGB} GiB does not fit into that limit.`;
  return { ...found, change: null, expected: null, explain: [why, ...explain] };
}

/**
 * Whether a setting would not help, or only hide the cause for a while.
 * @param {Pick<Cause, 'kind'> | null} cause
 */
const isBeforeSettings = (cause) => cause !== null && BEFORE_SETTINGS.has(cause.kind);

module.exports = { withCause, withMachineCause, isBeforeSettings };
