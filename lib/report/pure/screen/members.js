'use strict';

const { duration } = require('../../../base/pure/units');
const { fit, line, shown, span, widthOf } = require('./line');
const { LABEL } = require('./parts');

/**
 * @import { Member } from '../../../cluster/pure/member'
 * @import { TimeSeries } from './line'
 */

/**
 * The members of the replica set, the one that is shown marked; the less room, the less of each.
 * @param {{ members: readonly Member[], shownHost: string | null }} view
 * @param {number} columns
 * @returns {TimeSeries[]} nothing where there is one
 */
function membersLine({ members: all, shownHost }, columns) {
  if (all.length < 2) return [];
  const names = shortNames(all.map(({ host }) => host));
  const list = (/** @type {(member: Member, i: number) => string} */ words) =>
    line(
      span('members'.padEnd(LABEL)),
      ...all.map((member, i) =>
        span(
          `${member.host === shownHost ? '▸' : ' '}${words(member, i)}  `,
          toneOf(member, shownHost),
        ),
      ),
    );
  const forms = [
    list((member) => `${shown(member.host)} ${stateOf(member)}${lagOf(member)}`),
    list((member, i) => `${names[i]} ${stateOf(member)}${lagOf(member)}`),
    list((member, i) => `${names[i]} ${stateOf(member)}`),
    list((member, i) => (member.isUp ? names[i] : `${names[i]} DOWN`)),
  ];
  const at = all.findIndex(({ host }) => host === shownHost);
  return [
    fit(
      forms.find((form) => widthOf(form) <= columns) ??
        line(
          span('members'.padEnd(LABEL)),
          ` ${at + 1} of ${all.length}${at < 0 ? '' : `: ${names[at]} ${stateOf(all[at])}`}`,
        ),
      columns,
    ),
  ];
}

/**
 * `mongo-1.example.net:27017` → `mongo-1`, where that is still another name for each.
 * @param {readonly string[]} hosts @returns {string[]}
 */
function shortNames(hosts) {
  const withPort = hosts.map((host) =>
    /^[\d.]+:\d+$/.test(host) ? host : host.replace(/^([^.:]+)\.[^:]*/, '$1'),
  );
  const without = withPort.map((host) => host.replace(/:\d+$/, ''));
  return ([without, withPort].find((names) => new Set(names).size === hosts.length) ?? hosts).map(
    shown,
  );
}

/**
 * The colour of a member: the one that is shown stands out.
 * @param {Member} member
 * @param {string | null} shownHost
 */
function toneOf({ host, isUp }, shownHost) {
  if (!isUp) return 'bad';
  return host === shownHost ? 'strong' : undefined;
}

/** @param {Member} member */
const stateOf = ({ role, isUp }) => (isUp ? shown(role) : 'DOWN');
/** @param {Member} member */
const lagOf = ({ isUp, lagSeconds }) =>
  !isUp || lagSeconds === null || lagSeconds < 1 ? '' : `, ${duration(lagSeconds * 1000)} behind`;

module.exports = { membersLine };
