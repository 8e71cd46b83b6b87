'use strict';

const { MS_PER_SECOND } = require('../base/pure/units');
const { hasData, majorityLagSeconds, nearer } = require('../server/pure/replica-set');
const { collectOptions } = require('./start-options');
const { observe, everyFor } = require('../observe/observe');
const { findCluster } = require('./find-cluster');
const { sleep } = require('../base/context');
const { seemsBehind } = require('../signals/history');
const { each, atMember, apart, limitsFor } = require('./reach');

/**
 * @import { Observation, ObservedMember } from '../observe/types'
 * @import { ClusterPlace } from '../server/pure/replica-set'
 * @import { Context } from '../base/types'
 * @import { Place } from '../server/pure/types'
 */

const NO_SET = 'This server is not in a replica set: there are no other members to check.';

/**
 * Adds the other members of the set to an observation: the set at both ends of the window, and each
 * member meanwhile.
 * @param {Context} ctx
 * @param {number} seconds
 * @param {() => Promise<Observation>} work observes this server
 * @returns {Promise<Observation>}
 */
async function withOtherMembers(ctx, seconds, work) {
  const meanwhile = observeSet({ ...ctx, progress: () => {} }, seconds);
  meanwhile.catch(() => {}); // This promise is awaited below.
  const own = await work();
  const { members, notes } = await meanwhile;
  return { ...own, members, notes: [...own.notes, ...notes] };
}

/**
 * @param {Context} ctx
 * @param {number} seconds
 * @returns {Promise<Pick<Observation, 'members' | 'notes'>>}
 */
async function observeSet(ctx, seconds) {
  const first = await findCluster(ctx);
  if (first.kind !== 'replica set') return { members: null, notes: [NO_SET] };
  const [observed] = await observeMembers(ctx, first, { seconds, advise: true });
  const {
    sets: [set],
    notes,
  } = await findCluster(ctx).then(
    (now) => settled(ctx, now),
    () => first,
  );
  const known = new Map(observed.map((member) => [member.place.host, member]));
  const members = set.members.map((place) => ({
    ...(known.get(place.host) ?? unseen(place, null)),
    place,
  }));
  return { members: { set, beganSeconds: majorityLagSeconds(first.sets[0]), members }, notes };
}

/**
 * Observes each member that stores data, all at the same time.
 * @param {Context} ctx
 * @param {ClusterPlace} cluster
 * @param {{ seconds: number, advise: boolean }} how `advise`: long enough for a verdict
 * @returns {Promise<ObservedMember[][]>} the members of each set, in their order
 */
async function observeMembers(ctx, { sets }, how) {
  const places = sets.flatMap((set) =>
    set.members.map((place) => ({ place, isSelf: place.host === set.self && set.shard === null })),
  );
  const observed = await each(
    ctx,
    places,
    ({ place, isSelf }, limitMs) => observeMember(ctx, place, { ...how, isSelf, limitMs }),
    limitsFor(how.seconds * MS_PER_SECOND),
  );
  const all = observed.map(({ place: { place }, value, error }) => value ?? unseen(place, error));
  return sets.map(({ members }) => all.splice(0, members.length));
}

/** @param {Place} place @param {Error | null} error @returns {ObservedMember} */
const unseen = (place, error) => ({
  place,
  observation: null,
  options: null,
  parameters: null,
  why: error?.message ?? null,
  error,
});

/**
 * Observes a member. The member that the shell is connected to is observed over that connection:
 * its name in the set may lead nowhere from here.
 * @param {Context} ctx
 * @param {Place} place
 * @param {{ seconds: number, advise: boolean, isSelf: boolean, limitMs: number }} how
 * @returns {Promise<ObservedMember>}
 */
async function observeMember(ctx, place, { isSelf, limitMs, ...how }) {
  if (!hasData(place)) return { ...unseen(place, null), why: 'arbiter, stores no data' };
  return isSelf
    ? observeHere(apart(ctx), place, how)
    : atMember(ctx, place.host, limitMs, (there) => observeHere(there, place, how));
}

/**
 * @param {Context} ctx connected to the member
 * @param {Place} place
 * @param {{ seconds: number, advise: boolean }} how
 * @returns {Promise<ObservedMember>}
 */
async function observeHere(ctx, place, { seconds, advise }) {
  const [observation, { options, parameters }] = await Promise.all([
    observe(
      { ...ctx, progress: () => {} },
      {
        seconds,
        every: everyFor(seconds),
        dataBytes: advise,
        machineLevel: advise ? 'diagnostics' : 'hardware',
      },
    ),
    collectOptions(ctx.port),
  ]);
  return { place, observation, options, parameters, why: null, error: null };
}

/**
 * Distinguishes members that lag from those that only seem to. An idle set writes an empty entry
 * every 10 s (periodicNoopIntervalSecs), and members learn of each other at heartbeats: until then
 * a member that lacks only that entry seems 10 s behind, and so does the majority. This was seen on
 * 6.0 in one of ten samples of an idle set.
 */

/** Milliseconds for a heartbeat to arrive and to be applied. */
const HEARD_MS = 500;
/** Longest wait in milliseconds, for heartbeats can be set to any interval. */
const LONGEST_MS = 10_000;

/**
 * @param {Context} ctx
 * @param {ClusterPlace} cluster
 * @returns {Promise<ClusterPlace>} the same members, asked again after a heartbeat where one seems
 *   behind; it never rejects
 */
async function settled(ctx, cluster) {
  const doubtful = cluster.sets.filter(seemsBehind);
  if (doubtful.length === 0) return cluster;
  try {
    await sleep(
      Math.min(LONGEST_MS, Math.max(...doubtful.map(({ heartbeatMs }) => heartbeatMs))) + HEARD_MS,
      ctx.signal,
    );
    const { sets } = await findCluster(ctx);
    return {
      ...cluster,
      sets: cluster.sets.map((set) => {
        const again = sets.find(
          ({ name, shard, self }) => name === set.name && shard === set.shard && self !== null,
        );
        return again === undefined ? set : nearer(set, again);
      }),
    };
  } catch (_lost) {
    return cluster; // The rows of the members say why.
  }
}

module.exports = { observeMembers, withOtherMembers, settled };
