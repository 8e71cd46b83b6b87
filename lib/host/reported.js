'use strict';

const { versionNumber } = require('../base/pure/version');
const { identityOf } = require('./ask-server');
const { ofHostInfo, ofMounts } = require('./reported/host-info');
const { pairOf, ofMachine, ofFileSystem, ofDisk } = require('./reported/diagnostics');
const { ofWarnings } = require('./reported/warnings');

/**
 * @import { Answers, Question } from './ask-server'
 * @import { HostPart, HostValue, HostValues } from './pure/host'
 */

/**
 * What the server itself tells of its machine, from wherever it is asked. A user with fewer
 * privileges is told less.
 *
 */

/**
 * @param {Answers} first
 * @param {Answers} last some seconds later, or the same
 * @returns {HostPart}
 */
function reportedByServer(first, last) {
  const { version, cacheBytes, dbPath } = identityOf(last);
  const warnings = ofWarnings(last.warnings, last.hostInfo?.os?.type === 'Linux');
  const mount = dbPath === null ? {} : ofMounts(last.hostInfo, dbPath);
  const machine = reportedByMachine(first, last, { dbPath, device: mount['files.device'] });
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
      ...(machine.why === null ? {} : whyNoDisk(machine.why)),
    },
  };
}

/**
 * @param {Answers} first
 * @param {Answers} last
 * @param {{ dbPath: string | null, device?: string }} place
 * @returns {{ values: Partial<HostValues>, why: string | null }} `why`
 *   nothing is known of the disk
 */
function reportedByMachine(first, last, { dbPath, device }) {
  const pair = pairOf(first.diagnostics, last.diagnostics);
  if (pair === null)
    return {
      values: {},
      why: last.refused.diagnostics ?? 'the server has no diagnostic data of its machine',
    };
  const disk = ofDisk(pair, device);
  return {
    values: {
      ...ofMachine(pair),
      ...(dbPath === null ? {} : ofFileSystem(pair, dbPath)),
      ...disk.values,
    },
    why: disk.why,
  };
}

/** @param {Partial<HostValues>} values */
const known = (values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/**
 * What would be known but for a missing privilege.
 * @param {Answers} answers
 * @returns {HostPart['unknown']}
 */
function refusals({ refused }) {
  const because = (/** @type {Question} */ question, /** @type {HostValue[]} */ names) =>
    refused[question] === undefined
      ? {}
      : Object.fromEntries(names.map((name) => [name, refused[question]]));
  return {
    ...because('warnings', [
      'thp.enabled',
      'thp.defrag',
      'files.type',
      'process.files',
      'memory.swappiness',
    ]),
    ...because('diagnostics', [
      'memory.availableBytes',
      'memory.swapUsedBytes',
      'cpu.busyRatio',
      'cpu.iowaitRatio',
      'cpu.stealRatio',
      'files.freeBytes',
    ]),
    ...because('hostInfo', [
      'os.name',
      'kernel.release',
      'kernel.number',
      'memory.totalBytes',
      'cpu.logical',
      'numa.nodes',
    ]),
    ...because('options', ['files.path']),
  };
}

/** @param {string} why @returns {HostPart['unknown']} */
const whyNoDisk = (why) =>
  Object.fromEntries(
    [
      'disk.name',
      'disk.readMs',
      'disk.writeMs',
      'disk.queue',
      'disk.utilisationRatio',
      'disk.writtenBytesPerSec',
    ].map((name) => [name, why]),
  );

module.exports = { reportedByServer };
