'use strict';

const { HEALTHY_THREADS, WARNING_THREADS, blockedThreads } = require('./blocked-threads');

/**
 * @import { Status } from './status'
 */

/** Operations a second; below, there is no load to judge (heuristic). */
const IDLE_OPS_PER_SEC = 1;

/**
 * What a status shows at first sight; its cause is found by a diagnosis.
 * @typedef {{ code: 'no-rates' | 'idle' | 'blocked' | 'noticeable' | 'fine', of: null }
 *   | { code: 'at-trigger' | 'above-target', of: 'used' | 'dirty' | 'updates' }
 *   | { code: 'tickets', of: 'read' | 'write' }} StandsOut
 */

/** @param {Status} status @returns {StandsOut} */
function standsOut(status) {
  const blocked = blockedThreads(status.clients);
  const opsPerSec = operationsPerSec(status);
  if (blocked === null && opsPerSec === null) return { code: 'no-rates', of: null };
  return (
    severe(status, blocked ?? 0) ??
    calm(status, { blocked: blocked ?? 0, opsPerSec: opsPerSec ?? 1 })
  );
}

/** @param {Status} status @param {number} blocked mean threads @returns {StandsOut | null} */
function severe(status, blocked) {
  if (blocked >= WARNING_THREADS) return { code: 'blocked', of: null };
  const level = levelAbove(status, 'trigger');
  if (level !== null) return { code: 'at-trigger', of: level };
  const pool = poolInUse(status.tickets);
  return pool === null ? null : { code: 'tickets', of: pool };
}

/** @param {Status} status @param {{ blocked: number, opsPerSec: number }} load @returns {StandsOut} */
function calm(status, { blocked, opsPerSec }) {
  if (blocked > HEALTHY_THREADS) return { code: 'noticeable', of: null };
  if (opsPerSec < IDLE_OPS_PER_SEC) return { code: 'idle', of: null };
  const busy = levelAbove(status, 'target');
  return busy === null ? { code: 'fine', of: null } : { code: 'above-target', of: busy };
}

/** @param {Status} status @returns {number | null} */
const operationsPerSec = ({ ops: { readsPerSec, writesPerSec } }) =>
  readsPerSec === null || writesPerSec === null ? null : readsPerSec + writesPerSec;

/**
 * The first level of the cache at its threshold. A cache that is used up to its target is healthy.
 * @param {Status} status
 * @param {'target' | 'trigger'} threshold
 */
function levelAbove({ cache, thresholds: t }, threshold) {
  const isTrigger = threshold === 'trigger';
  /** @type {['used' | 'dirty' | 'updates', number | null, number | null][]} */
  const levels = [
    ['dirty', cache.dirtyRatio, isTrigger ? t.dirtyTriggerRatio : t.dirtyTargetRatio],
    ['updates', cache.updatesRatio, isTrigger ? t.updatesTriggerRatio : t.updatesTargetRatio],
    ['used', cache.usedRatio, isTrigger ? t.triggerRatio : null],
  ];
  const found = levels.find(
    ([, ratio, limit]) => ratio !== null && limit !== null && ratio >= limit,
  );
  return found?.[0] ?? null;
}

/** @param {Status['tickets']} tickets */
function poolInUse({ readInUse, readTotal, writeInUse, writeTotal }) {
  if (writeTotal && writeInUse !== null && writeInUse >= writeTotal) return 'write';
  return readTotal && readInUse !== null && readInUse >= readTotal ? 'read' : null;
}

module.exports = { standsOut };
