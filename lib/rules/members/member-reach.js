'use strict';

const { defineMemberRule } = require('../rule');

/**
 * @import { Row } from '../../server/pure/replica-set'
 * @import { Judgement } from '../rule'
 */

module.exports = defineMemberRule({
  id: 'member-reach',
  title: 'Members down or out of reach',
  why:
    'Of a member that does not answer nothing is known. The set itself tells whether it is ' +
    'down, or only not to be reached from this machine (a name, a port, a firewall, a login).',
  needs: ['role'],
  threshold:
    'Down, as the set sees it: warning; when no majority of the votes is left: critical. Up, ' +
    'and out of reach from here: information.',
  source: 'MongoDB manual, replSetGetStatus (health, stateStr)',
  advice:
    'Start the member, or look at its log. With no majority left nothing can be written ' +
    'until enough members are back.',
  whenNot: 'While a member is restarted on purpose.',
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
    'no-majority': (values) => `${isDown(values)}; no majority of the votes is left.`,
    'out-of-reach': ({ host, reason }) =>
      `${host} could not be looked at: ${reason ?? 'it does not report why'}.`,
  },
  adviceFor: {
    'out-of-reach': () =>
      'Its name must lead to it from here, and this user must be able to log in there.',
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

/** That a member is down, and what the set reports of it. @param {Member} member */
const isDown = ({ host, reached, reason }) =>
  `${host} is down${reached ? ' in the eyes of the set, and answers here' : ''}` +
  `${reason === null ? '' : ` (${reason})`}`;

/** A reason for the middle of a sentence. @param {string | null} text */
const withoutPoint = (text) =>
  text === null ? null : text.replace(/\.\s*$/, '').replace(/\s*\n\s*/g, ' ');
