'use strict';

const { sleep } = require('../base/context');
const { seemsBehind } = require('../signals/history');
const { nearer } = require('../server/pure/replica-set');
const { findCluster } = require('./find-cluster');

/**
 * @import { ClusterPlace } from '../server/pure/replica-set'
 * @import { Context } from '../base/types'
 */

/**
 * Tells members that lag from those that only seem to. An idle set writes an empty entry every 10 s
 * (periodicNoopIntervalSecs), and members learn of each other at heartbeats: until then one that
 * lacks nothing but that entry seems 10 s behind, and so does the majority. Seen on 6.0 in one of
 * ten samples of an idle set.
 */

/** Milliseconds for a heartbeat to arrive and to be applied. */
const HEARD_MS = 500;
/** Heartbeats can be set to any time. */
const LONGEST_MS = 10_000;

/**
 * @param {Context} ctx
 * @param {ClusterPlace} cluster
 * @returns {Promise<ClusterPlace>} the same members; where
 *   somebody seems behind, asked again after a heartbeat. Never rejects
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
    return cluster; // the looks at the members say why
  }
}

module.exports = { settled };
