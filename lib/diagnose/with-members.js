'use strict';

const { duration, percent } = require('../base/pure/units');
const { majorityHolders, describe, SEVERE_SECONDS } = require('../signals/majority-holders');

/**
 * @import { Bottleneck, Verdict } from '../base/pure/finding'
 * @import { SetLook } from '../rules/rule'
 * @import { Row } from '../server/pure/replica-set'
 */

/**
 * What the other members add to the verdict about one server: the majority point is the set's, and
 * no counter of this server names the member that holds it back.
 *
 * @typedef {Verdict & { explain: string[] }} Said
 */

/**
 * What a lagging majority is behind, or what leaves room for it. Where a server lacks cache or disk
 * itself, that comes first; an idle one is held back by nobody.
 */
const GIVES_WAY = new Set(
  /** @type {Bottleneck[]} */ (['none', 'unknown', 'history', 'concurrency']),
);

/**
 * @param {Said} own what this server shows by itself
 * @param {SetLook} set at the end of the window
 * @param {number | null} beganSeconds how far behind the
 *   majority was at its beginning
 * @returns {Said | null} null where the members change nothing about it
 */
function withMembers(own, set, beganSeconds) {
  const held = majorityHolders(set);
  if (held === null || held.holders.length === 0 || !GIVES_WAY.has(own.bottleneck)) return null;
  // What catches up is on its way already.
  if (beganSeconds !== null && held.seconds < Math.min(beganSeconds, SEVERE_SECONDS)) return null;
  const who = held.holders.map(describe).join(' and ');
  return {
    bottleneck: 'history',
    because:
      `${who} ${held.holders.length === 1 ? 'holds' : 'hold'} the majority of ${set.name} back ` +
      `by ${duration(held.seconds * 1000)}: old versions must be kept until it moves on, and ` +
      'writes with w: "majority" wait for it.',
    evidence: [
      {
        metric: 'majority.lagSeconds',
        value: held.seconds,
        say: `the majority is ${duration(held.seconds * 1000)} behind the newest write`,
      },
      ...held.holders.flatMap(evidenceAt),
    ].slice(0, MAX_EVIDENCE),
    runnerUp:
      own.bottleneck === 'history'
        ? own.runnerUp
        : { bottleneck: own.bottleneck, because: 'it is what this server alone shows.' },
    explain: [
      ...held.holders.map(nextAt),
      'If it will be gone for long, take its vote away (votes: 0, priority: 0) with ' +
        'rs.reconfig(); an arbiter does not help.',
    ],
  };
}

/** As many as any verdict shows. */
const MAX_EVIDENCE = 3;

/** @param {Row} row @returns {Verdict['evidence']} readings from the member itself */
function evidenceAt({ host, lagSeconds, cache }) {
  return [
    ...(lagSeconds === null
      ? []
      : [
          {
            metric: 'member.lagSeconds',
            value: lagSeconds,
            say: `${host} is ${duration(lagSeconds * 1000)} behind`,
          },
        ]),
    ...(cache?.dirtyRatio === null || cache?.dirtyRatio === undefined
      ? []
      : [
          {
            metric: 'member.dirtyRatio',
            value: cache.dirtyRatio,
            say: `there ${percent(cache.dirtyRatio)} of the cache is dirty`,
          },
        ]),
  ];
}

/** @param {Row} row @returns {string} where to look first, in that member's own words */
function nextAt({ host, role, reached, why, bottleneck, because }) {
  if (role === 'down') return `${host} is down: start it, or look at its log.`;
  if (!reached)
    return (
      `${host} could not be looked at: ` +
      `${String(why ?? 'it does not tell why').replace(/\.$/, '')}.`
    );
  if (
    bottleneck === null ||
    bottleneck === 'none' ||
    bottleneck === 'idle' ||
    bottleneck === 'unknown'
  )
    return (
      `${host} itself shows nothing that would hold it back: look for a lock there ` +
      '(db.currentOp().fsyncLock, db.fsyncUnlock()), and at its network.'
    );
  return `${host} itself is held back by ${bottleneck}: ${because}`;
}

module.exports = { withMembers };
