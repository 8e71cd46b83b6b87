'use strict';

const { defineMemberRule } = require('../define-member-rule');

/**
 * @import { Row } from '../../server/pure/replica-set'
 * @import { Judgement } from '../define-rule'
 */

module.exports = defineMemberRule({
  id: 'member-reach',
  title: 'Members that are down, or out of reach from here',
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
  fine: 'Every member that stores data answers.',
  check({ rows, majority }) {
    const isLost =
      majority !== null &&
      rows.reduce((votes, { isUp, votes: own }) => votes + (isUp === false ? 0 : (own ?? 0)), 0) <
        majority &&
      rows.every(({ votes }) => votes !== null);
    return rows.flatMap((row) => {
      if (row.isUp === false) return [down(row, isLost)];
      return row.reached || row.isArbiter ? [] : [away(row)];
    });
  },
});

/**
 * @param {Row} row
 * @param {boolean} isLost whether no majority is left
 * @returns {Judgement}
 */
const down = ({ host, reached, said }, isLost) => ({
  status: isLost ? 'critical' : 'warning',
  subject: host,
  evidence: { reached },
  say:
    `${host} is down${reached ? ' in the eyes of the set, and answers here' : ''}` +
    `${said === null ? '' : ` (${withoutPoint(said)})`}` +
    `${isLost ? '; no majority of the votes is left' : ''}.`,
});

/** @param {Row} row @returns {Judgement} */
const away = ({ host, reached, why, said }) => ({
  status: 'info',
  subject: host,
  evidence: { reached },
  say: `${host} could not be looked at: ${withoutPoint(why ?? said ?? 'it does not tell why')}.`,
  advice: 'Its name must lead to it from here, and this user must be able to log in there.',
});

/** @param {string} text */
const withoutPoint = (text) => text.replace(/\.\s*$/, '').replace(/\s*\n\s*/g, ' ');
