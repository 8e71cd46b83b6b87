'use strict';

const { many } = require('../base/pure/units');
const { defineCommand } = require('../base/pure/command');
const { number, flag } = require('../base/pure/options');
const { EXIT_CODES } = require('../base/pure/finding');
const { judgeMembers } = require('../rules/runner');
const { majorityLagSeconds } = require('../server/pure/replica-set');
const { diagnose } = require('../diagnose/diagnose');
const { memberRow } = require('../diagnose/members');
const { loadMemberRules, loadRules } = require('../rules/registry');
const { report } = require('../text/report');
const { findCluster } = require('../cluster/find-cluster');
const { observeMembers, settled } = require('../cluster/observe-members');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Finding } from '../base/pure/finding'
 * @import { ClusterPlace, Row } from '../server/pure/replica-set'
 * @import { ObservedMember } from '../observe/types'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 * @import { SetPlace } from '../server/pure/types'
 */

/**
 * @typedef {Omit<Row, 'options' | 'parameters'>} MemberData
 * @typedef {{
 *   name: string | null, shard: string | null, members: MemberData[], majority: number | null,
 *   majorityLagSeconds: number | null, findings: Finding[]
 * }} SetData `findings`: about the members and between them; what each engine reports is with the member
 * @typedef {{
 *   at: Date, kind: 'standalone' | 'replica set' | 'sharded cluster', seconds: number,
 *   sets: SetData[], exitCode: number, notes: string[]
 * }} MembersData
 *   `exitCode`: as that of tune.check(): 2 for anything critical, 1 for a warning, 3 where no
 *   member could be examined, else 0
 */

/** The default: one sample at each end; a window of advice is longer. */
const SECONDS = 1;
const ADVISE_SECONDS = 30;

module.exports = defineCommand({
  name: 'members',
  group: 'Look',
  order: 5,
  takes: ['options'],
  usage: 'tune.members({ seconds, advise })',
  summary: 'Compares the members of each replica set',
  details: "With this connection's user and TLS, all at the same time; docs/members.md",
  options: {
    seconds: {
      check: number({ min: 0.1, max: 3600 }),
      defaultText: '1; with advise 30',
      description: 'how long to sample',
    },
    advise: {
      check: flag(),
      default: false,
      description: 'name the bottleneck of each, as tune.advise() does',
    },
  },
  examples: [
    'tune.members()',
    'tune.members({ seconds: 5 }).sets[0].findings',
    'tune members --advise --seconds 30',
  ],
  changes: 'nothing',
  run: members,
});

/**
 * Every member of the replica set, and of every shard behind a mongos, that can be reached with
 * this connection's user and TLS: its state, lag, cache, release, machine and settings, what is
 * wrong with it, and in what they differ.
 * @param {Context} ctx
 * @param {{ advise: boolean, seconds?: number }} options
 * @returns {Promise<MembersData & Report>} a member that does not answer
 *   is a row that says why
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-2xxxx where not even
 *   the members are reported
 */
async function members(ctx, { advise, seconds = advise ? ADVISE_SECONDS : SECONDS }) {
  if (advise) ctx.call?.judgePart('advise');
  const cluster = await findCluster(ctx);
  const count = cluster.sets.reduce((sum, set) => sum + set.members.length, 0);
  ctx.progress(`tune.members: sampling ${many(count, 'member')} for ${seconds} s`);
  const [observed, { sets: now }] = await Promise.all([
    observeMembers(ctx, cluster, { seconds, advise }),
    settled(ctx, cluster),
  ]).finally(() => ctx.progress(null));
  refuseAlone(cluster, observed);
  const sets = now.map((set, i) =>
    setData(
      set,
      observed[i].map((member, n) => rowOf({ ...member, place: set.members[n] }, advise)),
    ),
  );
  const data = {
    at: new Date(),
    kind: cluster.kind,
    seconds,
    sets,
    exitCode: exitCodeOf(sets),
    notes: cluster.notes,
  };
  return report(data, (ink) => require('../cluster/pure/members-text').renderMembers(data, ink));
}

/**
 * Makes the row of a member, with the findings of its own engine.
 * @param {ObservedMember} member
 * @param {boolean} advise
 */
const rowOf = (member, advise) =>
  memberRow(
    member,
    member.observation && diagnose(member.observation, { engine: loadRules() }),
    advise,
  );

/**
 * Throws the error of a single server, which says more than a row.
 * @param {ClusterPlace} cluster
 * @param {ObservedMember[][]} observed
 */
function refuseAlone({ kind }, [[{ error }]]) {
  if (kind === 'standalone' && error !== null) throw error;
}

/**
 * Shows a set in the form of the answer.
 * @param {SetPlace} set
 * @param {Row[]} rows
 * @returns {SetData}
 */
function setData(set, rows) {
  return {
    name: set.name,
    shard: set.shard,
    members: rows.map(shown),
    majority: set.majority,
    majorityLagSeconds: majorityLagSeconds(set),
    findings: judgeMembers(loadMemberRules(), { ...set, rows }),
  };
}

/**
 * Leaves out options and parameters: there are hundreds, mostly equal, and they only serve the
 * comparison.
 * @param {Row} row
 * @returns {MemberData}
 */
function shown(row) {
  const data = Object.fromEntries(
    Object.entries(row).filter(([name]) => name !== 'options' && name !== 'parameters'),
  );
  return /** @type {MemberData} */ (
    row.set === null && row.serverHost !== null ? { ...data, host: row.serverHost } : data
  );
}

/** Finds the exit code of the worst finding. @param {readonly SetData[]} sets */
function exitCodeOf(sets) {
  if (!sets.some(({ members: all }) => all.some(({ reached }) => reached)))
    return EXIT_CODES.unknown;
  const found = new Set(
    sets
      .flatMap(({ findings, members: all }) => [
        ...findings,
        ...all.flatMap((member) => member.findings),
      ])
      .map(({ status }) => status),
  );
  if (found.has('critical')) return EXIT_CODES.critical;
  return found.has('warning') ? EXIT_CODES.warning : EXIT_CODES.ok;
}
