'use strict';

const { HELLO } = require('../server/pure/commands');
const { collectSet } = require('./replica-set');
const { collectShards, readClusterId, readShard, refuseOtherShard } = require('./shards');
const { HEARTBEAT_MS } = require('../server/pure/replica-set');
const { TuneError } = require('../base/pure/errors');
const { mapServerError } = require('../base/server-errors');
const { withTimeout } = require('../base/timing');
const { each, atMember, limitsFor } = require('./reach');

/**
 * @import { ClusterPlace } from '../server/pure/replica-set'
 * @import { Shard } from './shards'
 * @import { Context } from '../base/types'
 * @import { Place, SetPlace } from '../server/pure/types'
 */

/** Finds what the connection leads to: one server, a replica set, or the shards of a cluster. */

/**
 * @param {Context} ctx
 * @returns {Promise<ClusterPlace>}
 * @throws {import('../base/pure/errors').TuneError} TUNE-20005, TUNE-20006
 */
async function findCluster(ctx) {
  try {
    const hello = await ctx.port.adminCommand(HELLO);
    if (hello.msg === 'isdbgrid') return await sharded(ctx);
    const set = hello.setName ? await collectSet(ctx.port, hello) : standalone(hello);
    return { kind: hello.setName ? 'replica set' : 'standalone', sets: [set], notes: set.notes };
  } catch (error) {
    throw mapServerError(error, 'hello', ctx.signal);
  }
}

/**
 * @param {any} hello @returns {SetPlace} without a name until the server has reported its status
 */
function standalone({ me = null }) {
  const host = me ?? 'this server';
  return {
    name: null,
    shard: null,
    self: host,
    members: [place(host, { role: 'standalone', isUp: true })],
    newestMs: null,
    committedMs: null,
    majority: null,
    heartbeatMs: HEARTBEAT_MS,
    notes: [],
  };
}

/** @param {string} host @param {Partial<Place>} known @returns {Place} */
const place = (host, known) => ({
  host,
  set: null,
  shard: null,
  role: 'unknown',
  isUp: null,
  isArbiter: false,
  isHidden: null,
  delaySeconds: null,
  votes: null,
  priority: null,
  optimeMs: null,
  lagSeconds: null,
  said: null,
  ...known,
});

/** @param {Context} ctx @returns {Promise<ClusterPlace>} */
async function sharded(ctx) {
  const [shards, clusterId] = [await collectShards(ctx.port), await readClusterId(ctx.port)];
  const found = await each(
    ctx,
    shards,
    (shard, limitMs) => setOf(ctx, { ...shard, clusterId }, limitMs),
    limitsFor(),
  );
  const sets = found.map(({ place: shard, value, error }) => ({
    ...(value ?? unreached(shard, error)),
    clusterId,
  }));
  return { kind: 'sharded cluster', sets, notes: [...new Set(sets.flatMap(({ notes }) => notes))] };
}

/**
 * Asks the members of a set: any member reports the whole set, so the first answer is enough.
 * @param {Context} ctx
 * @param {Shard & { clusterId: string | null }} meant
 * @param {number} limitMs
 * @returns {Promise<SetPlace>}
 */
async function setOf(ctx, { shard, set: name, hosts, clusterId }, limitMs) {
  const tries = hosts.map((host) =>
    atMember(ctx, host, limitMs, async ({ port }) => {
      const hello = await port.adminCommand(HELLO);
      if (name !== null && hello.setName !== name)
        throw new TuneError(
          'TUNE-20010',
          `${host} is not a member of ${name}, the replica set of shard ${shard}.`,
          { value: host, allowed: name },
        );
      refuseOtherShard(host, { shard, clusterId }, await readShard(port));
      const set = hello.setName
        ? await collectSet(port, hello, shard)
        : { ...standalone({ me: host }), shard };
      return { ...set, members: set.members.map((one) => ({ ...one, shard })) };
    }),
  );
  return withTimeout(
    () =>
      Promise.any(tries).catch((/** @type {AggregateError} */ { errors }) => {
        throw errors[0];
      }),
    limitMs,
    ctx.signal,
  );
}

/**
 * @param {Shard} shard
 * @param {Error | null} error
 * @returns {SetPlace} the data that the cluster has of a shard of which no member answers
 */
function unreached({ shard, set, hosts }, error) {
  const members = hosts.map((host) => place(host, { set, shard, said: error?.message ?? null }));
  return {
    name: set,
    shard,
    self: null,
    members,
    newestMs: null,
    committedMs: null,
    majority: null,
    heartbeatMs: HEARTBEAT_MS,
    notes: [`No member of shard ${shard} answers: ${error?.message}`],
  };
}

module.exports = { findCluster };
