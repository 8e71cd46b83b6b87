'use strict';

const { defineMemberRule } = require('../rule');
const { sources, manual } = require('../sources');

/**
 * @import { Row } from '../../server/pure/replica-set'
 * @import { Judgement } from '../rule'
 */

module.exports = defineMemberRule({
  id: 'member-reach',
  title: 'Members down or not reachable',
  why:
    'Nothing is known of a member that does not answer. The replica set reports whether it is ' +
    'down, or only not reachable from this machine (name, port, firewall, login).',
  needs: ['role'],
  threshold:
    'Warning: down, as reported by the replica set. Critical: no majority of votes is left. ' +
    'Information: up, but not reachable from here.',
  source: sources(
    manual('replSetGetStatus: health, stateStr', 'manual/reference/command/replSetGetStatus/'),
  ),
  advice:
    'Start the member, or check its log. Without a majority, no writes are possible until ' +
    'enough members are back.',
  whenNot: 'Not while a member is deliberately restarted.',
  check({ rows, majority }) {
    const isLost =
      majority !== null &&
      rows.reduce((votes, { isUp, votes: own }) => votes + (isUp === false ? 0 : (own ?? 0)), 0) <
        majority &&
      rows.every(({ votes }) => votes !== null);
    return rows.flatMap((row) => judgeRow(row, isLost));
  },
  messages: {
    fine: () => 'Every member that stores data answers.',
    down: (values) => `${isDown(values)}.`,
    'no-majority': (values) => `${isDown(values)}; no majority of votes is left.`,
    'out-of-reach': ({ host, reason }) =>
      `${host} could not be checked: ${reason ?? 'reason not reported'}.`,
  },
  adviceFor: {
    'out-of-reach': () =>
      'This machine must be able to resolve and reach its host name, and this user must be able ' +
      'to log in there.',
  },
});

/** @typedef {{ host: string, reached: boolean, reason: string | null }} Member */

/**
 * @param {Row} row
 * @param {boolean} isLost whether no majority is left
 * @returns {Judgement<'down' | 'no-majority' | 'out-of-reach', Member>[]} at most one
 */
function judgeRow({ host, isUp, isArbiter, reached, why, said }, isLost) {
  const about = { subject: host, evidence: { reached } };
  if (isUp !== false) {
    const values = { host, reached, reason: withoutPoint(why ?? said) };
    return reached || isArbiter ? [] : [{ status: 'info', code: 'out-of-reach', values, ...about }];
  }
  const values = { host, reached, reason: withoutPoint(said) };
  return isLost
    ? [{ status: 'critical', code: 'no-majority', values, ...about }]
    : [{ status: 'warning', code: 'down', values, ...about }];
}

/** Says that a member is down, and what the set reports of it. @param {Member} member */
const isDown = ({ host, reached, reason }) =>
  `${host} is down${reached ? ' as reported by the set, but reachable from here' : ''}` +
  `${reason === null ? '' : ` (${reason})`}`;

/** A reason for the middle of a sentence. @param {string | null} text */
const withoutPoint = (text) =>
  text === null ? null : text.replace(/\.\s*$/, '').replace(/\s*\n\s*/g, ' ');
