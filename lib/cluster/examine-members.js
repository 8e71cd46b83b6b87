'use strict';

const { SETTING_NAMES } = require('../config/setting-table');
const { statusOf } = require('../server/pure/status');
const { hasData } = require('../server/pure/replica-set');
const { collectOptions } = require('./start-options');
const { diagnose } = require('../diagnose/diagnose');
const { loadRules } = require('../rules/registry');
const { gather, everyFor } = require('../observe/gather');
const { each, atMember, apart, limitsFor } = require('./reach');
const { MS_PER_SECOND } = require('../base/pure/units');

/**
 * @import { Context } from '../base/context'
 * @import { Config } from '../server/pure/facts'
 * @import { ClusterPlace, Place, Row } from '../server/pure/replica-set'
 */

/**
 * A look at each member that stores data, all at the same time.
 */

/**
 * @param {Context} ctx
 * @param {ClusterPlace} cluster
 * @param {{ seconds: number, advise: boolean }} how
 * @returns {Promise<Row[][]>} of each set, in the order of its members
 */
async function examineMembers(ctx, { sets }, how) {
  const places = sets.flatMap((set) =>
    set.members.map((member) => ({
      member,
      isSelf: member.host === set.self && set.shard === null,
    })),
  );
  const samples = await each(
    ctx,
    places,
    ({ member, isSelf }, limitMs) => examineMember(ctx, member, { ...how, isSelf, limitMs }),
    limitsFor(how.seconds * MS_PER_SECOND),
  );
  const rows = samples.map(({ place: { member }, value, error }) =>
    withError({ ...member, ...(value ?? nothing(error)) }, error),
  );
  return sets.map(({ members }) => rows.splice(0, members.length));
}

/**
 * For whoever has only this one; it is no part of the data.
 * @param {Row} row
 * @param {Error | null} error
 * @returns {Row}
 */
const withError = (row, error) => Object.defineProperty(row, 'error', { value: error });

/** @param {Error | null} error */
const nothing = (error) => ({
  reached: false,
  why: error?.message ?? null,
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
 * The member that the shell is connected to is looked at over that connection: its name in the set
 * may lead nowhere from here.
 * @param {Context} ctx
 * @param {Place} member
 * @param {{ seconds: number, advise: boolean, isSelf: boolean, limitMs: number }} how
 */
async function examineMember(ctx, member, { isSelf, limitMs, ...how }) {
  if (!hasData(member)) return { ...nothing(null), why: 'it is an arbiter, which stores no data' };
  return isSelf
    ? sample(apart(ctx), how)
    : atMember(ctx, member.host, limitMs, (there) => sample(there, how));
}

/** @param {Context} ctx @param {{ seconds: number, advise: boolean }} how */
async function sample(ctx, { seconds, advise }) {
  const [{ facts, window, notes }, reported] = await Promise.all([
    gather(
      { ...ctx, progress: () => {} },
      { seconds, every: everyFor(seconds), dataBytes: advise, machine: advise },
    ),
    collectOptions(ctx.port),
  ]);
  const { cache } = statusOf(window, facts);
  const { bottleneck, because, findings } = diagnose({ window, facts, rules: loadRules() });
  return {
    reached: true,
    why: null,
    serverHost: facts.host,
    version: facts.version,
    memoryBytes: facts.memLimitBytes ?? facts.memoryBytes,
    cores: facts.cores,
    cache: { maxBytes: cache.maxBytes, usedRatio: cache.usedRatio, dirtyRatio: cache.dirtyRatio },
    settings: settingsIn(facts.config),
    options: reported.options,
    parameters: reported.parameters,
    bottleneck: advise ? bottleneck : null,
    because: advise ? because : null,
    findings: findings.filter(({ status }) => status === 'critical' || status === 'warning'),
    notes: advise ? notes : [],
  };
}

/**
 * @param {Config | null} config
 * @returns {Row['settings']} as they are in force; null where that is not known
 */
function settingsIn(config) {
  if (config === null) return null;
  return Object.fromEntries(
    SETTING_NAMES.map((setting) => [
      setting,
      { value: config[setting].value, isDefault: config[setting].from === 'default' },
    ]),
  );
}

module.exports = { examineMembers };
