'use strict';

const {
  IDLE_CPU_RATIO,
  isQueueSevere,
  isReadingPagesSevere,
  isEvictionSevere,
} = require('./clients');
const { isDeviceAtLimit } = require('./disk');
const { EMPTY_SHARE, POOLS } = require('./holders');

/**
 * @import { Metrics } from '../server/pure/metrics'
 */

/**
 * Throughput probing (MongoDB 7.0 and later) begins with one ticket a core for both pools together,
 * and keeps at least 4 in each (mongod's sources, throughput_probing.idl). Up to twice the cores it is
 * still near its begin (heuristic).
 */
const MIN_FEW_TICKETS = 8;
const TICKETS_PER_CORE = 2;

/** Nothing else holds operations back, as far as that is known. @param {Metrics} metrics */
function isHeadroomEverywhere(metrics) {
  const own = metrics['process.cpuRatio'];
  return (
    own !== undefined &&
    own <= IDLE_CPU_RATIO &&
    !isDeviceAtLimit(metrics) &&
    !isReadingPagesSevere(metrics) &&
    !isEvictionSevere(metrics)
  );
}

/**
 * Probing that gives out so few tickets that operations queue, though neither CPUs nor disk nor cache
 * hold them back.
 * @param {Metrics} metrics
 * @returns {{ kind: 'read' | 'write', total: number } | null} null: not known to be so
 */
function starvedPool(metrics) {
  if (!metrics['tickets.probing'] || !isQueueSevere(metrics)) return null;
  if (!isHeadroomEverywhere(metrics)) return null;
  const few = Math.max(MIN_FEW_TICKETS, TICKETS_PER_CORE * (metrics['host.cores'] ?? 0));
  for (const { kind, total: name, empty } of POOLS) {
    const total = metrics[name];
    if (total !== undefined && total <= few && (metrics[empty] ?? 0) >= EMPTY_SHARE)
      return { kind, total };
  }
  return null;
}

module.exports = { starvedPool };
