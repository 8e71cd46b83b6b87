'use strict';

/**
 * @import { Change, HostFix } from '../types'
 */

/**
 * What a rule found. `code`: what it is, unique within the rule; `values`: the figures that the
 * message is made of, units in the names; `key`: rule and subject, for suppressions; `fixes`:
 * settings of the host that cure it, in order, each with its way back.
 * @typedef {'ok' | 'info' | 'warning' | 'critical' | 'unknown' | 'error'} Status
 * @typedef {{
 *   rule: string, area: string, status: Status, code: string, values: Record<string, unknown>,
 *   message: string, evidence: Record<string, number | string | boolean | null>,
 *   advice: string | null, change: Change | null, source: string, key: string,
 *   fixes: readonly HostFix[]
 * }} Finding
 *
 * @typedef {'none' | 'idle' | 'cache-read' | 'cache-dirty' | 'eviction-threads' | 'checkpoint' |
 *   'disk' | 'cpu' | 'concurrency' | 'history' | 'unknown'} Bottleneck
 *
 * @typedef {{
 *   bottleneck: Bottleneck, because: string,
 *   evidence: { metric: string, value: number, say: string }[],
 *   runnerUp: { bottleneck: Bottleneck, because: string } | null
 * }} Verdict `evidence`: the three strongest; `runnerUp.because`: why it lost
 */

/** The order in which tables show findings: those that need a person first. */
const STATUSES = Object.freeze(
  /** @type {Status[]} */ (['critical', 'warning', 'error', 'info', 'unknown', 'ok']),
);
/** Findings of these statuses need a person: trouble, and rules that failed. */
const SEVERE = Object.freeze(/** @type {Status[]} */ (['critical', 'warning', 'error']));
const BOTTLENECKS = Object.freeze(
  /** @type {Bottleneck[]} */ ([
    'none',
    'idle',
    'cache-read',
    'cache-dirty',
    'eviction-threads',
    'checkpoint',
    'disk',
    'cpu',
    'concurrency',
    'history',
    'unknown',
  ]),
);

/**
 * @template {{ status: Status }} T
 * @param {readonly T[]} findings
 * @returns {T[]} what needs a person first; among equals in the order they came
 */
const severestFirst = (findings) =>
  findings.toSorted((a, b) => STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status));

/**
 * Turns findings into the state of a monitor (Monitoring Plugins Development Guidelines, "Plugin
 * Return Codes").
 *
 * @typedef {'ok' | 'warning' | 'critical' | 'unknown'} State
 */

const EXIT_CODES = Object.freeze(
  /** @type {Record<State, number>} */ ({ ok: 0, warning: 1, critical: 2, unknown: 3 }),
);

/** Whether the verdict is that the server needs no change. @param {string | null} bottleneck */
const isCalm = (bottleneck) => bottleneck === 'none' || bottleneck === 'idle';

/**
 * Whether a finding is trouble; for a rule that failed that is unknown.
 * @param {{ status: Status }} finding
 */
const isTrouble = ({ status }) => status === 'warning' || status === 'critical';

/** @param {{ status: Status }} finding @returns {boolean} it says something that is not fine */
const isNotable = ({ status }) => status !== 'ok' && status !== 'unknown';

/** @param {readonly Finding[]} findings */
const severe = (findings) => findings.filter(({ status }) => SEVERE.includes(status));

/**
 * @param {readonly Pick<Finding, 'status'>[]} findings that count
 * @param {{ failOn: 'warning' | 'critical', isWhole: boolean }} how `isWhole`: the server was sampled
 *   to the end
 * @returns {State} the worst; that something is not known is less than trouble, and more than
 *   nothing
 */
function stateOf(findings, { failOn, isWhole }) {
  const has = (/** @type {Status} */ wanted) => findings.some(({ status }) => status === wanted);
  if (has('critical')) return 'critical';
  if (failOn === 'warning' && has('warning')) return 'warning';
  return has('error') || !isWhole ? 'unknown' : 'ok';
}

module.exports = {
  STATUSES,
  SEVERE,
  BOTTLENECKS,
  severestFirst,
  EXIT_CODES,
  isCalm,
  isTrouble,
  isNotable,
  severe,
  stateOf,
};
