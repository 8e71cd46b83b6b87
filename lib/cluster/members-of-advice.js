'use strict';

const { majorityLagSeconds } = require('../server/pure/replica-set');
const { severestFirst } = require('../base/pure/finding');
const { judgeMembers } = require('../rules/runner');
const { withMembers } = require('../diagnose/with-members');
const { loadMemberRules } = require('../rules/registry');
const { findCluster } = require('./find-cluster');
const { examineMembers } = require('./examine-members');
const { settled } = require('./settled-lag');

/**
 * @import { Context } from '../base/context'
 * @import { Advice } from '../observe/advice-data'
 * @import { SetLook } from '../rules/rule'
 * @import { Row } from '../server/pure/replica-set'
 */

/**
 * The other members beside tune.advise(): the set at both ends of its window, and a look at each
 * member in between.
 * @typedef {{
 *   set: SetLook, beganSeconds: number | null,
 *   notes: string[]
 * }} Beside
 */

/**
 * @param {Context} ctx
 * @param {number} seconds
 * @returns {{ end(): Promise<Beside | null> }} null on a server that is in no set
 */
function examineMembersMeanwhile(ctx, seconds) {
  const begun = begin({ ...ctx, progress: () => {} }, seconds);
  begun.catch(() => {}); // it is waited for at the end
  return { end: () => begun };
}

/** @param {Context} ctx @param {number} seconds @returns {Promise<Beside | null>} */
async function begin(ctx, seconds) {
  const first = await findCluster(ctx);
  if (first.kind !== 'replica set') return null;
  const [rows] = await examineMembers(ctx, first, { seconds, advise: true });
  const {
    sets: [last],
    notes,
  } = await findCluster(ctx).then(
    (now) => settled(ctx, now),
    () => first,
  );
  const seen = new Map(rows.map((row) => [row.host, row]));
  const now = last.members.map((member) => ({ ...(seen.get(member.host) ?? rows[0]), ...member }));
  return { set: { ...last, rows: now }, beganSeconds: majorityLagSeconds(first.sets[0]), notes };
}

/**
 * @template {Advice} A
 * @param {A} advice @param {Beside | null} alongside
 * @returns {A & { members?: object[] }} with what the members add
 */
function withMembersFindings(advice, alongside) {
  if (alongside === null)
    return {
      ...advice,
      notes: [
        ...advice.notes,
        'This server is in no replica set: there are no other members to look at.',
      ],
    };
  const said = withMembers(advice, alongside.set, alongside.beganSeconds);
  const findings = judgeMembers(loadMemberRules(), alongside.set).filter(
    ({ status }) => status !== 'ok' && status !== 'unknown',
  );
  return {
    ...advice,
    ...(said === null ? {} : { ...said, change: null, conf: null }),
    findings: severestFirst([...advice.findings, ...findings]),
    members: alongside.set.rows.map(summaryOf),
    notes: [...advice.notes, ...alongside.notes],
  };
}

/** @param {Row} row */
const summaryOf = ({ host, role, lagSeconds, reached, why, bottleneck, because }) => ({
  host,
  role,
  lagSeconds,
  reached,
  why,
  bottleneck,
  because,
});

module.exports = { examineMembersMeanwhile, withMembersFindings };
