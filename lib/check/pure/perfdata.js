'use strict';

/**
 * @import { Status } from '../../server/pure/status'
 */

/**
 * The figures of a check for the charts of a monitor, with its units (Monitoring Plugins
 * Development Guidelines, "Performance data"). A figure that is not known is `null`, and `U` there.
 *
 * @typedef {'%' | 'ms' | 'B' | ''} Unit no unit: a number of things
 * @typedef {{
 *   label: string, value: number | null, unit: Unit, warn: number | null, crit: number | null,
 *   min: number | null, max: number | null
 * }} Perf
 */

/** @param {number | null} ratio */
const percentOf = (ratio) => (ratio === null ? null : ratio * 100);

/**
 * `warn` and `crit` are set where a rule judges that very figure; the settings in effect decide some
 * of them.
 * @param {Status} status
 * @param {{
 *   queued: number | null, ofRules: Readonly<Record<string, Readonly<Record<string, number>>>>
 * }} more `ofRules`: the thresholds of the rules, by their ids
 * @returns {Perf[]} always the same labels in the same order: charts depend on it
 */
function perfdataOf(
  { cache, eviction, checkpoint, clients, tickets, ops, thresholds },
  { queued, ofRules },
) {
  const near = (/** @type {string} */ rule, /** @type {number | null} */ trigger) =>
    trigger === null
      ? {}
      : { warn: trigger * 100 * ofRules[rule].nearTriggerRatio, crit: trigger * 100 };
  const { longMs, veryLongMs } = ofRules['checkpoint-duration'];
  return [
    share('cache_used', cache.usedRatio),
    share('cache_dirty', cache.dirtyRatio, near('dirty-ratio', thresholds.dirtyTriggerRatio)),
    share(
      'cache_updates',
      cache.updatesRatio,
      near('updates-ratio', thresholds.updatesTriggerRatio),
    ),
    of('cache_read', cache.readBytesPerSec, 'B'),
    of('cache_written', cache.writtenBytesPerSec, 'B'),
    of('app_threads_reading', clients.readingThreads),
    of('app_threads_evicting', clients.evictingThreads),
    of('app_threads_waiting', clients.waitingThreads),
    of('queued_operations', queued, '', { warn: ofRules.tickets.minQueued }),
    of('eviction_pages', eviction.pagesPerSec),
    of('app_eviction_pages', eviction.appPagesPerSec),
    of('checkpoint_last', checkpoint.lastMs, 'ms', { warn: longMs, crit: veryLongMs }),
    of('tickets_read', tickets.readInUse, '', { max: tickets.readTotal }),
    of('tickets_write', tickets.writeInUse, '', { max: tickets.writeTotal }),
    of('reads', ops.readsPerSec),
    of('writes', ops.writesPerSec),
    of('read_latency', ops.readLatencyMs, 'ms'),
    of('write_latency', ops.writeLatencyMs, 'ms'),
  ];
}

/**
 * @param {string} label
 * @param {number | null} value
 * @param {Unit} [unit]
 * @param {Partial<Perf>} [more]
 * @returns {Perf}
 */
const of = (label, value, unit = '', more = {}) => ({
  label,
  value,
  unit,
  warn: null,
  crit: null,
  min: 0,
  max: null,
  ...more,
});

/** @param {string} label @param {number | null} ratio @param {Partial<Perf>} [more] */
const share = (label, ratio, more = {}) => of(label, percentOf(ratio), '%', { max: 100, ...more });

module.exports = { perfdataOf };
