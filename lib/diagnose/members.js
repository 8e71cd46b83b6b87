'use strict';

const { isCalm, isTrouble } = require('../base/pure/finding');
const { SETTING_NAMES } = require('../config/setting-table');
const { statusOf } = require('../server/pure/status');
const { secondsText, percent } = require('../base/pure/units');
const { majorityDelay, describe, SEVERE_SECONDS, WAY_BACK_OF_VOTE } = require('../signals/history');
const { MAX_EVIDENCE } = require('./evidence');

/**
 * @import { Bottleneck, Verdict } from '../base/pure/finding'
 * @import { ObservedMember } from '../observe/types'
 * @import { SetView } from '../server/pure/types'
 * @import { Config } from '../config/types'
 * @import { Row } from '../server/pure/replica-set'
 * @import { Conclusion, Diagnosis } from './diagnose'
 */

/**
 * Adds to the verdict about one server what the members of its replica set show: the majority point
 * is the set's, and no counter of this server names the member that delays it.
 */

/**
 * Makes the row of one member for rules and tables.
 * @param {ObservedMember} member
 * @param {Diagnosis | null} diagnosis the diagnosis of its observation
 * @param {boolean} advise false: the user did not ask for its bottleneck
 * @returns {Row}
 */
function memberRow({ place, observation, options, parameters, why }, diagnosis, advise) {
  if (observation === null || diagnosis === null) return { ...place, ...UNSEEN, why };
  const { facts, window, notes } = observation;
  const { cache } = statusOf(window, facts);
  return {
    ...place,
    reached: true,
    why: null,
    serverHost: facts.host,
    version: facts.version,
    memoryBytes: facts.memLimitBytes ?? facts.memoryBytes,
    cores: facts.cores,
    cache: { maxBytes: cache.maxBytes, usedRatio: cache.usedRatio, dirtyRatio: cache.dirtyRatio },
    settings: settingsIn(facts.config),
    options,
    parameters,
    bottleneck: advise ? diagnosis.bottleneck : null,
    because: advise ? diagnosis.because : null,
    findings: diagnosis.findings.filter(isTrouble),
    notes: advise ? notes : [],
  };
}

/** The fields of a member that was not observed. */
const UNSEEN = Object.freeze({
  reached: false,
  why: null,
  serverHost: null,
  version: null,
  memoryBytes: null,
  cores: null,
  cache: null,
  settings: null,
  options: null,
  parameters: null,
  bottleneck: null,
  because: null,
  findings: [],
  notes: [],
});

/**
 * The settings in effect, for comparing members.
 * @param {Config | null} config
 * @returns {Row['settings']}
 */
const settingsIn = (config) =>
  config &&
  Object.fromEntries(
    SETTING_NAMES.map((setting) => [
      setting,
      { value: config[setting].value, isDefault: config[setting].from === 'default' },
    ]),
  );

/** The summary of a member in an advice. @param {Row} row */
const memberSummary = ({ host, role, lagSeconds, reached, why, bottleneck, because }) => ({
  host,
  role,
  lagSeconds,
  reached,
  why,
  bottleneck,
  because,
});

/**
 * Verdicts that a lagging majority may cause, or does not change. Where a server lacks cache or
 * disk itself, that comes first; an idle one is delayed by no member.
 */
const YIELDS_TO_MAJORITY = new Set(
  /** @type {Bottleneck[]} */ (['none', 'unknown', 'history', 'concurrency']),
);

/**
 * The verdict where a member delays the majority.
 * @param {Conclusion} own what this server shows by itself
 * @param {SetView} set at the end of the window
 * @param {number | null} beganSeconds how far behind the majority was at its beginning
 * @returns {Conclusion | null} null where the members change nothing about it
 */
function withMembers(own, set, beganSeconds) {
  const delay = majorityDelay(set);
  if (delay === null || delay.members.length === 0 || !YIELDS_TO_MAJORITY.has(own.bottleneck))
    return null;
  // A majority that catches up needs no advice.
  if (beganSeconds !== null && delay.seconds < Math.min(beganSeconds, SEVERE_SECONDS)) return null;
  const who = delay.members.map(describe).join(' and ');
  return {
    accounting: own.accounting,
    expected: null,
    bottleneck: 'history',
    because:
      `The majority of ${set.name} lags by ${secondsText(delay.seconds)} because of ${who}. ` +
      'Old versions must be kept until it catches up, and writes with w: "majority" wait.',
    evidence: [
      {
        metric: 'majority.lagSeconds',
        value: delay.seconds,
        say: `the majority lags by ${secondsText(delay.seconds)}`,
      },
      ...delay.members.flatMap(evidenceAt),
    ].slice(0, MAX_EVIDENCE),
    runnerUp:
      own.bottleneck === 'history'
        ? own.runnerUp
        : { bottleneck: own.bottleneck, because: 'it is the diagnosis of this server alone.' },
    change: null,
    cause: null,
    remedy: null,
    explain: [
      ...delay.members.map(nextAt),
      ...(set.rows.some(({ isArbiter }) => isArbiter) ? BESIDE_ARBITER : WITHOUT_ARBITER),
    ],
  };
}

const WITHOUT_ARBITER = Object.freeze([
  'If it stays down for long, remove its vote (votes: 0, priority: 0) with rs.reconfig(). An ' +
    'arbiter does not help.',
]);
/** The way back in one step could roll back writes that a majority had acknowledged. */
const BESIDE_ARBITER = Object.freeze([
  'If it stays down for long, remove its vote (votes: 0, priority: 0) with rs.reconfig(): the ' +
    'arbiter of this set acknowledges no write.',
  WAY_BACK_OF_VOTE,
]);

/** Metrics of the member itself. @param {Row} row @returns {Verdict['evidence']} */
function evidenceAt({ host, lagSeconds, cache }) {
  return [
    ...(lagSeconds === null
      ? []
      : [
          {
            metric: 'member.lagSeconds',
            value: lagSeconds,
            say: `${host} lags by ${secondsText(lagSeconds)}`,
          },
        ]),
    ...(cache?.dirtyRatio === null || cache?.dirtyRatio === undefined
      ? []
      : [
          {
            metric: 'member.dirtyRatio',
            value: cache.dirtyRatio,
            say: `${percent(cache.dirtyRatio)} of its cache is dirty`,
          },
        ]),
  ];
}

/** Names what to check first at a member. @param {Row} row @returns {string} */
function nextAt({ host, role, reached, why, bottleneck, because }) {
  if (role === 'down') return `${host} is down: start it, or check its log.`;
  if (!reached)
    return (
      `${host} could not be checked: ` +
      `${String(why ?? 'reason not reported').replace(/\.$/, '')}.`
    );
  if (bottleneck === null || bottleneck === 'unknown' || isCalm(bottleneck))
    return (
      `${host} shows no bottleneck itself: check for a lock there ` +
      '(db.currentOp().fsyncLock; db.fsyncUnlock() once no backup needs it), and its network.'
    );
  return `Bottleneck of ${host}: ${bottleneck}. ${because}`;
}

module.exports = { memberRow, memberSummary, withMembers };
