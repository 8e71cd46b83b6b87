'use strict';

const { versionNumber } = require('../base/pure/version');
const { NO_FACTS } = require('../server/pure/facts');
const { metricsOf } = require('../server/pure/metrics');
const { readMachine } = require('../server/pure/sample');
const { systemMetricsOf } = require('../server/pure/system-counters');
const { last: lastValue, makeWindow } = require('../server/pure/window');
const { identityOf, numberAt } = require('./ask-server');
const { ofHostInfo, ofMounts, isUnder, longest, ofWarnings } = require('./reported-values');

/**
 * @import { Metric } from '../server/pure/metrics'
 * @import { Window } from '../server/pure/window'
 * @import { Answers, Question } from './ask-server'
 * @import { HostPart, HostValue, HostValues } from './pure/host'
 */

/**
 * Reads what the server itself reports of its machine, from wherever it is asked. A user with fewer
 * privileges gets less of it.
 */

/** These metrics of the machine (server/pure/machine.js) are values of a host, too. */
const MACHINE_VALUES = Object.freeze(
  /** @type {(Metric & HostValue)[]} */ ([
    'memory.totalBytes',
    'memory.availableBytes',
    'memory.swapInPagesPerSec',
    'writeback.dirtyPageBytesMax',
    'cpu.busyRatio',
    'cpu.iowaitRatio',
    'cpu.stealRatio',
  ]),
);
const DISK_VALUES = Object.freeze(
  /** @type {(Metric & HostValue)[]} */ ([
    'disk.busyRatio',
    'disk.queue',
    'disk.readMs',
    'disk.writeMs',
    'disk.readsPerSec',
    'disk.writesPerSec',
    'disk.readBytesPerSec',
    'disk.writtenBytesPerSec',
  ]),
);

/**
 * Makes values of the host from the answers of its server.
 * @param {Answers} first
 * @param {Answers} last the answers some seconds later, or the same
 * @returns {HostPart}
 */
function reportedByServer(first, last) {
  const { version, cacheBytes, dbPath } = identityOf(last);
  const warnings = ofWarnings(last.warnings, last.hostInfo?.os?.type === 'Linux');
  const mount = dbPath === null ? {} : ofMounts(last.hostInfo, dbPath);
  const machine = ofDiagnostics(first, last, { dbPath, device: mount['files.device'] });
  const server = {
    'server.versionNumber': version === null ? undefined : versionNumber(version),
    'server.cacheBytes': cacheBytes ?? undefined,
    'files.path': dbPath ?? undefined,
  };
  const values = [warnings.values, ofHostInfo(last.hostInfo), machine.values, mount, server].map(
    known,
  );
  return {
    values: Object.assign({}, ...values),
    unknown: {
      ...warnings.unknown,
      ...refusals(last),
      ...(machine.why === null ? {} : becauseOf(machine.why, ['disk.name', ...DISK_VALUES])),
    },
  };
}

/**
 * Makes values from the diagnostic data of two moments.
 * @param {Answers} first
 * @param {Answers} last
 * @param {{ dbPath: string | null, device?: string }} place
 * @returns {{ values: Partial<HostValues>, why: string | null }} `why`: the reason why nothing is
 *   known of the disk
 */
function ofDiagnostics(first, last, { dbPath, device }) {
  const [before, now] = [first, last].map(({ diagnostics }) => systemMetricsOf(diagnostics));
  if (now === undefined)
    return {
      values: {},
      why: last.refused.diagnostics ?? 'the server reports no diagnostic data of its machine',
    };
  const window = makeWindow(
    [before, now].filter((document) => document !== undefined).map(readMachine),
  );
  const { name, why } = diskOf(Object.keys(now.disks ?? {}), device);
  return {
    values: {
      ...gauges(window),
      ...metricsOf(window, NO_FACTS, MACHINE_VALUES),
      ...(dbPath === null ? {} : ofFileSystem(now.mounts, dbPath)),
      ...(name === null
        ? {}
        : { 'disk.name': name, ...metricsOf(window, { ...NO_FACTS, disks: [name] }, DISK_VALUES) }),
    },
    why,
  };
}

/**
 * Reads the gauges of diagnostic data.
 * @param {Window} window
 * @returns {Partial<HostValues>} the values of its last sample
 */
function gauges(window) {
  const [swap, free] = [
    lastValue(window, 'memory.swapBytes'),
    lastValue(window, 'memory.swapFreeBytes'),
  ];
  return {
    'memory.swapBytes': swap,
    'memory.swapUsedBytes': swap === undefined || free === undefined ? undefined : swap - free,
    'writeback.dirtyPageBytes': lastValue(window, 'writeback.dirtyPageBytes'),
    'cpu.logical': lastValue(window, 'cpu.logical'),
    'cpu.allowed': lastValue(window, 'cpu.allowed'),
  };
}

/**
 * Finds size and free space of a file system.
 * @param {any} sizes the sizes of mounts, by their paths
 * @param {string} dbPath
 * @returns {Partial<HostValues>} the values of the file system that holds dbPath
 */
function ofFileSystem(sizes, dbPath) {
  const found = longest(
    Object.keys(sizes ?? {})
      .filter((name) => isUnder(dbPath, name))
      .map((name) => ({ name })),
  );
  if (found === undefined) return {};
  return {
    'files.mountPoint': found.name,
    'files.totalBytes': numberAt(sizes[found.name], 'capacity') ?? undefined,
    'files.freeBytes': numberAt(sizes[found.name], 'available') ?? undefined,
  };
}

/**
 * Finds the disk that holds dbPath.
 * @param {readonly string[]} names the names of all disks
 * @param {string | undefined} device the device that dbPath lies on, `/dev/sda1`; undefined: not
 *   known
 * @returns {{ name: string | null, why: string | null }} `why`: the reason why it is not known
 */
function diskOf(names, device) {
  if (names.length === 0) return { name: null, why: 'the server reports no disk' };
  const name = names.length === 1 ? names[0] : names.find((disk) => isPartOf(device ?? '', disk));
  return name === undefined
    ? { name: null, why: `the server does not report which of ${names.join(', ')} has dbPath` }
    : { name, why: null };
}

/**
 * Whether a device is a part of a disk: `/dev/sda1` of sda, `/dev/nvme0n1p2` of nvme0n1.
 * @param {string} device
 * @param {string} disk
 */
const isPartOf = (device, disk) =>
  device.startsWith(`/dev/${disk}`) && /^(p?\d+)?$/.test(device.slice(`/dev/${disk}`.length));

/** @param {Partial<HostValues>} values */
const known = (values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** The values that remain unknown when the server refuses a question. */
const ANSWERED_BY = Object.freeze(
  /** @type {Partial<Record<Question, HostValue[]>>} */ ({
    warnings: ['thp.enabled', 'thp.defrag', 'files.type', 'process.files', 'memory.swappiness'],
    diagnostics: [
      'memory.availableBytes',
      'memory.swapUsedBytes',
      'cpu.busyRatio',
      'cpu.iowaitRatio',
      'cpu.stealRatio',
      'files.freeBytes',
    ],
    hostInfo: [
      'os.name',
      'kernel.release',
      'kernel.number',
      'memory.totalBytes',
      'cpu.logical',
      'numa.nodes',
    ],
    options: ['files.path'],
  }),
);

/**
 * Names the values that a missing privilege hides.
 * @param {Answers} answers
 * @returns {HostPart['unknown']}
 */
const refusals = ({ refused }) =>
  Object.assign(
    {},
    ...Object.entries(refused).map(([question, why]) =>
      becauseOf(why, ANSWERED_BY[/** @type {Question} */ (question)] ?? []),
    ),
  );

/** @param {string} why @param {readonly HostValue[]} names @returns {HostPart['unknown']} */
const becauseOf = (why, names) => Object.fromEntries(names.map((name) => [name, why]));

module.exports = { reportedByServer };
