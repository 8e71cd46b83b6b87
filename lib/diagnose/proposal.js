'use strict';

const { GiB, bytes, percent, capital } = require('../base/pure/units');
const { pick, settingsOf } = require('../config/change');

/**
 * @import { Bottleneck } from '../base/pure/finding'
 * @import { Change } from '../base/types'
 * @import { Config } from '../config/types'
 * @import { Metrics } from '../server/pure/metrics'
 */

/**
 * Shows what a person needs before a change: the present values, and the reason in a few words.
 * @typedef {{ before: Change, reason: string }} Proposal `before`: without settings whose present
 *   value is not known
 */

/**
 * @param {Change} change
 * @param {{ bottleneck: Bottleneck, metrics: Metrics, config: Config | null }} about
 * @returns {Proposal}
 */
function proposalOf(change, { bottleneck, metrics, config }) {
  const known = Object.fromEntries(
    settingsOf(change).flatMap((setting) => {
      const value = config?.[setting].value ?? null;
      return value === null ? [] : [[setting, value]];
    }),
  );
  const { 'cache.maxBytes': maxBytes } = metrics;
  const size = maxBytes === undefined ? {} : { cacheSizeGB: maxBytes / GiB };
  const before = { ...pick(size, settingsOf(change)), ...known };
  return { before, reason: `${capital(why(change, bottleneck))}.${aboutRam(change, metrics)}` };
}

/** @param {Change} change @param {Bottleneck} bottleneck */
function why(change, bottleneck) {
  if (change.cacheSizeGB !== undefined)
    return bottleneck === 'cache-read' ? 'fewer page reads' : 'more updates per page write';
  if (change.evictionThreadsMax !== undefined)
    return 'more eviction threads take over work of application threads';
  return Number(change.evictionDirtyTrigger) > DEFAULT_TRIGGER
    ? 'the disk can write that much dirty data in time'
    : 'these are the defaults; a lower value makes application threads evict early';
}
/** Percent. */
const DEFAULT_TRIGGER = 20;

/**
 * Says what share of RAM a cache takes, and how much is free.
 * @param {Change} change
 * @param {Metrics} metrics
 */
function aboutRam({ cacheSizeGB }, metrics) {
  const { 'host.memoryBytes': memory, 'memory.availableBytes': available } = metrics;
  if (cacheSizeGB === undefined || memory === undefined) return '';
  // In a container RAM means its limit, but available memory means that of the host.
  const isKnown = available !== undefined && available <= memory;
  return (
    ` ${bytes(cacheSizeGB * GiB)} is ${percent((cacheSizeGB * GiB) / memory)} of RAM` +
    `${isKnown ? `; ${bytes(available)} is available` : ` (${bytes(memory)})`}.`
  );
}

module.exports = { proposalOf };
