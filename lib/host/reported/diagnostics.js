'use strict';

const { systemMetricsOf } = require('../../server/pure/diagnostic-roles');
const { numberAt } = require('../ask-server');
const { toMs } = require('../../base/pure/numbers');
const { isUnder, longest } = require('./host-info');

/**
 * @import { HostValues } from '../pure/host'
 */

/** @typedef {Partial<HostValues>} Values */
/**
 * @typedef {{ first: any, last: any, seconds: number | null }} Pair two samples of mongod's own at
 *   its machine; `seconds` between them, null where there was one only
 */

const KIB = 2 ** 10;
const PAGE_BYTES = 4096;
const SECTOR_BYTES = 512;
const MS_PER_SECOND = 1000;
const BUSY = Object.freeze(['user_ms', 'nice_ms', 'system_ms', 'irq_ms', 'softirq_ms', 'steal_ms']);
const SPARE = Object.freeze(['idle_ms', 'iowait_ms']);

/** @param {any} first @param {any} last replies of getDiagnosticData @returns {Pair | null} */
function pairOf(first, last) {
  const [one, two] = [systemMetricsOf(first), systemMetricsOf(last)];
  if (two === undefined) return null;
  const seconds = ((toMs(two.start) ?? NaN) - (toMs(one?.start) ?? NaN)) / MS_PER_SECOND;
  return { first: one, last: two, seconds: seconds > 0 ? seconds : null };
}

/** @param {Pair} pair @returns {Values} */
function ofMachine(pair) {
  const { last } = pair;
  const kib = (/** @type {string} */ name) => scaled(numberAt(last, `memory.${name}_kb`), KIB);
  const [swap, free] = [kib('SwapTotal'), kib('SwapFree')];
  const dirty = [pair.first, last].flatMap(
    (one) => scaled(numberAt(one, 'memory.Dirty_kb'), KIB) ?? [],
  );
  return {
    'memory.totalBytes': kib('MemTotal'),
    'memory.availableBytes': kib('MemAvailable'),
    'memory.swapBytes': swap,
    'memory.swapUsedBytes': swap === undefined || free === undefined ? undefined : swap - free,
    'memory.swapInBytesPerSec': perSecond(
      pair,
      'vmstat.pswpin',
      numberAt(last, 'page_size') ?? PAGE_BYTES,
    ),
    'writeback.unwrittenBytes': kib('Dirty'),
    'writeback.unwrittenBytesMax': dirty.length === 0 ? undefined : Math.max(...dirty),
    'cpu.logical':
      numberAt(last, 'cpu.num_logical_cores') ?? numberAt(last, 'cpu.num_cpus') ?? undefined,
    'cpu.allowed': numberAt(last, 'cpu.num_cores_available_to_process') ?? undefined,
    ...processorShares(pair),
  };
}

/**
 * Of all processors, in their own milliseconds: no clock is needed.
 * @param {Pair} pair
 * @returns {Values}
 */
function processorShares(pair) {
  const grown = (/** @type {string} */ name) => growth(pair, `cpu.${name}`) ?? 0;
  const busy = BUSY.reduce((sum, name) => sum + grown(name), 0);
  const all = SPARE.reduce((sum, name) => sum + grown(name), busy);
  return all > 0
    ? {
        'cpu.busyRatio': busy / all,
        'cpu.iowaitRatio': grown('iowait_ms') / all,
        'cpu.stealRatio': grown('steal_ms') / all,
      }
    : {};
}

/** @param {Pair} pair @param {string} dbPath @returns {Values} of the file system that holds it */
function ofFileSystem({ last }, dbPath) {
  const mounts = Object.entries(last.mounts ?? {})
    .filter(([name]) => isUnder(dbPath, name))
    .map(([name, sizes]) => ({ name, sizes }));
  const found = longest(mounts);
  if (found === undefined) return {};
  return {
    'files.mountPoint': found.name,
    'files.totalBytes': numberAt(found.sizes, 'capacity') ?? undefined,
    'files.freeBytes': numberAt(found.sizes, 'available') ?? undefined,
  };
}

/**
 * @param {Pair} pair
 * @param {string | undefined} device that dbPath lies on, `/dev/sda1`, where known
 * @returns {{ values: Values, why: string | null }} `why` nothing is said of a disk
 */
function ofDisk(pair, device) {
  const names = Object.keys(pair.last.disks ?? {});
  const name =
    names.length === 1
      ? names[0]
      : names.find((one) => device !== undefined && isPartOf(device, one));
  if (names.length === 0) return { values: {}, why: 'the server tells of no disk' };
  if (name === undefined)
    return { values: {}, why: `the server does not tell which of ${names.join(', ')} has dbPath` };
  const at = (/** @type {string} */ field) => `disks.${name}.${field}`;
  const each = (/** @type {string} */ ms, /** @type {string} */ count) =>
    ratio(growth(pair, at(ms)), growth(pair, at(count)));
  const [queued, busy] = [
    perSecond(pair, at('io_queued_ms'), 1 / MS_PER_SECOND),
    perSecond(pair, at('io_time_ms'), 1 / MS_PER_SECOND),
  ];
  return {
    why: null,
    values: {
      'disk.name': name,
      'disk.queue': queued,
      'disk.utilisationRatio': busy === undefined ? undefined : Math.min(1, busy),
      'disk.readMs': each('read_time_ms', 'reads'),
      'disk.writeMs': each('write_time_ms', 'writes'),
      'disk.readsPerSec': perSecond(pair, at('reads')),
      'disk.writesPerSec': perSecond(pair, at('writes')),
      'disk.readBytesPerSec': perSecond(pair, at('read_sectors'), SECTOR_BYTES),
      'disk.writtenBytesPerSec': perSecond(pair, at('write_sectors'), SECTOR_BYTES),
    },
  };
}

/** `/dev/sda1` of sda, `/dev/nvme0n1p2` of nvme0n1. @param {string} device @param {string} disk */
const isPartOf = (device, disk) =>
  device.startsWith(`/dev/${disk}`) && /^(p?\d+)?$/.test(device.slice(`/dev/${disk}`.length));

/** @param {Pair} pair @param {string} path of a counter @returns {number | undefined} */
function growth({ first, last, seconds }, path) {
  const [one, two] = [numberAt(first, path), numberAt(last, path)];
  return one === null || two === null || seconds === null || two < one ? undefined : two - one;
}

/** @param {Pair} pair @param {string} path @param {number} [scale] */
const perSecond = (pair, path, scale = 1) =>
  scaled(ratio(growth(pair, path), pair.seconds ?? undefined) ?? null, scale);
/** @param {number | null} value @param {number} scale */
const scaled = (value, scale) => (value === null ? undefined : value * scale);
/** @param {number | undefined} a @param {number | undefined} b */
const ratio = (a, b) => (a === undefined || b === undefined || b === 0 ? undefined : a / b);

module.exports = { pairOf, ofMachine, ofFileSystem, ofDisk };
