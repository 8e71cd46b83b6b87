'use strict';

const { MS_PER_SECOND } = require('../base/pure/units');
const { HELLO, SET_STATUS, SET_CONFIG } = require('../server/pure/commands');
const { askOptional } = require('../base/server-errors');
const { isCode } = require('../base/pure/errors');
const { toNumber } = require('../base/pure/numbers');
const { collectShards } = require('./shards');
const {
  HEARTBEAT_MS,
  majorityOf,
  membersInHello,
  membersInStatus,
  wholeSeconds,
} = require('../server/pure/replica-set');

/**
 * @import { Port } from '../base/context'
 * @import { TuneError } from '../base/pure/errors'
 * @import { Identity, ReportedMember } from '../server/pure/replica-set'
 * @import { Place, SetPlace } from '../server/pure/types'
 */

/**
 * Collects one replica set as one of its members reports it: members, states, lag, and what the set
 * expects of each.
 */

const NO_STATUS =
  'Member states and lag are not known: this user is not allowed to run replSetGetStatus (role ' +
  'clusterMonitor).';
const NO_CONFIG =
  'Hidden, delayed and non-voting members are not known: this user is not allowed to run ' +
  'replSetGetConfig (role clusterMonitor).';

/**
 * @param {Port} port a port to any member
 * @param {any} hello its answer to hello
 * @param {string | null} [shard] the shard of the set
 * @returns {Promise<SetPlace>}
 * @throws {TuneError} TUNE-20006
 */
async function collectSet(port, hello, shard = null) {
  const [status, answer] = await Promise.all([
    askOptional(port, SET_STATUS),
    askOptional(port, SET_CONFIG),
  ]);
  const config = configured(answer);
  const seen =
    status === null
      ? withHidden(membersInHello(hello), config)
      : membersInStatus(status).map(shownState);
  const members = withExpected(seen, config, { set: hello.setName, shard });
  return {
    name: hello.setName,
    shard,
    self: hello.me ?? null,
    members,
    newestMs: newestOf(seen),
    heartbeatMs: toNumber(answer?.config.settings?.heartbeatIntervalMillis) ?? HEARTBEAT_MS,
    ...pointOf(status ?? {}, members),
    notes: notesOf(status, answer),
    hidesMembers: status === null && answer === null,
    ...idOf(hello, answer),
  };
}

/** @param {any} answer the answer of replSetGetConfig; null: refused @returns {any[]} */
const configured = (answer) => answer?.config.members ?? [];

/**
 * @param {any} hello
 * @param {any} answer the answer of replSetGetConfig; null: refused
 * @returns {{ setId: string | null, setVersion: number | null }}
 */
const idOf = (hello, answer) => ({
  setId: answer?.config?.settings?.replicaSetId?.toString() ?? null,
  setVersion: toNumber(hello.setVersion) ?? null,
});

/**
 * Lists the members' names: hello leaves hidden members out, but the one that answers names itself.
 * @param {any} hello @param {any} answer the answer of replSetGetConfig; null: refused
 * @returns {string[]}
 */
const namesOf = ({ hosts = [], passives = [], arbiters = [], me = null }, answer) => [
  ...new Set([
    ...hosts,
    ...passives,
    ...arbiters,
    ...(me === null ? [] : [me]),
    ...configured(answer).map((/** @type {{ host: string }} */ { host }) => host),
  ]),
];

/**
 * @param {Port} port a port to a mongos
 * @returns {Promise<string[]>} no names where the user may not ask
 */
async function namesInShards(port) {
  try {
    return (await collectShards(port)).flatMap(({ hosts }) => hosts);
  } catch (error) {
    if (isCode(error, 'TUNE-20005')) return [];
    throw error;
  }
}

/**
 * @param {Port} port @returns {Promise<Identity>}
 */
async function readIdentity(port) {
  const hello = await port.adminCommand(HELLO);
  const answer = hello.setName ? await askOptional(port, SET_CONFIG) : null;
  return {
    setName: hello.setName ?? null,
    me: hello.me ?? null,
    isStarting: hello.isreplicaset === true,
    members: hello.msg === 'isdbgrid' ? await namesInShards(port) : namesOf(hello, answer),
    ...idOf(hello, answer),
  };
}

/** @param {any} status @param {any} config null: refused */
const notesOf = (status, config) => [
  ...(status === null ? [NO_STATUS] : []),
  ...(config === null ? [NO_CONFIG] : []),
];

/**
 * Returns the state to show: a member that does not answer is down, whatever its last state was.
 * @param {ReportedMember} member
 */
const shownState = ({ host, state, isUp, optimeMs, said }) => ({
  host,
  role: isUp ? state : 'down',
  isUp,
  isArbiter: state === 'arbiter',
  optimeMs,
  said,
});

/** @typedef {ReturnType<typeof shownState> | ReturnType<typeof membersInHello>[0]} Seen */

/**
 * @param {readonly Seen[]} seen
 * @param {readonly any[]} config
 * @param {{ set: string, shard: string | null }} where
 * @returns {Place[]}
 */
function withExpected(seen, config, where) {
  const expected = new Map(config.map((one) => [one.host, expectedOf(one)]));
  const newestMs = newestOf(seen);
  return seen.map((one) => ({
    ...where,
    isHidden: null,
    delaySeconds: null,
    votes: null,
    priority: null,
    ...one,
    lagSeconds: lagOf(one, newestMs),
    ...expected.get(one.host),
  }));
}

/** @param {any} status @param {readonly Place[]} members */
const pointOf = ({ optimes, majorityVoteCount }, members) => ({
  committedMs: wholeSeconds(optimes?.lastCommittedWallTime),
  majority: toNumber(majorityVoteCount) ?? majorityOf(members),
});

/**
 * @param {ReturnType<typeof membersInHello>} reported
 * @param {readonly any[]} config
 * @returns {ReturnType<typeof membersInHello>} the reported members and those that hello leaves out
 */
function withHidden(reported, config) {
  const hosts = config.map(({ host }) => String(host));
  const left = hosts.filter((host) => reported.every((one) => one.host !== host));
  return [...reported, ...membersInHello({ hosts: left })];
}

/**
 * Returns what the set expects of a member; until 4.4 the delay is named `slaveDelay`.
 * @param {any} member a member of replSetGetConfig
 */
const expectedOf = ({
  hidden = false,
  secondaryDelaySecs,
  slaveDelay,
  votes = 1,
  priority = 1,
  arbiterOnly = false,
}) => ({
  isHidden: hidden === true,
  delaySeconds: toNumber(secondaryDelaySecs) ?? toNumber(slaveDelay) ?? 0,
  votes: toNumber(votes) ?? null,
  priority: toNumber(priority) ?? null,
  isArbiter: arbiterOnly === true,
});

/** @param {readonly { optimeMs: number | null }[]} members */
const newestOf = (members) =>
  members.reduce(
    (/** @type {number | null} */ newest, { optimeMs }) =>
      optimeMs === null ? newest : Math.max(newest ?? optimeMs, optimeMs),
    null,
  );

/** @param {{ role: string, optimeMs: number | null }} member @param {number | null} newestMs */
const lagOf = ({ role, optimeMs }, newestMs) =>
  role === 'primary' || optimeMs === null || newestMs === null
    ? null
    : (newestMs - optimeMs) / MS_PER_SECOND;

module.exports = { collectSet, readIdentity };
