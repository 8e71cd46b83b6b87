'use strict';

/**
 * @import { HostValues } from './pure/host'
 */

/**
 * Start-up warnings show what mongod saw of its machine when it started: by their numbers, and some
 * by not being there. Numbers and fields: src/mongo/db/startup_warnings_mongod.cpp and
 * storage/wiredtiger of 4.4 to 8.0, and what servers of 6.0 to 8.2 print.
 *
 * @typedef {Partial<HostValues>} Values
 * @typedef {{ id: number, attr?: Record<string, any> }} Warning
 */

const THP = '/sys/kernel/mm/transparent_hugepage';
const NOT_XFS = 22297;
const NOT_INTERLEAVED = 22167;

/** @type {Readonly<Record<number, (attr: Record<string, any>) => Values>>} */
const VALUES_BY_ID = Object.freeze({
  [NOT_INTERLEAVED]: () => ({ 'numa.isInterleaved': false }),
  22171: ({ currentValue }) => ({ 'memory.overcommit': Number(currentValue ?? 2) }),
  22174: ({ currentValue }) => ({ 'numa.zoneReclaim': Number(currentValue) }),
  22178: () => ({ 'thp.enabled': 'always' }),
  22181: () => ({ 'thp.defrag': 'always' }),
  // The hard limit is not in the warning; it is not lower.
  22184: ({ currentValue }) => ({
    'process.files': { soft: Number(currentValue), hard: Number(currentValue) },
  }),
  5123300: ({ currentValue }) => ({ 'sysctl.maxMapCount': Number(currentValue) }),
  8386700: ({ currentValue }) => ({ 'memory.swappiness': Number(currentValue) }),
  8640300: ({ currentValue }) => ({ 'thp.enabled': String(currentValue) }),
  8640301: ({ currentValue }) => ({ 'thp.defrag': String(currentValue) }),
  8640302: ({ currentValue }) => ({ 'thp.maxPtesNone': Number(currentValue) }),
  // 7.0 names the folder and means `enabled`, newer ones the file.
  9068900: ({ sysfsFile, currentValue }) =>
    sysfsFile === `${THP}/defrag`
      ? { 'thp.defrag': String(currentValue) }
      : { 'thp.enabled': String(currentValue) },
});

/**
 * The warnings in an answer to getLog.
 * @param {any} reply of getLog
 * @returns {Warning[]} lines of another form than JSON (before 4.4) are left out
 */
function warningsIn(reply) {
  return (reply?.log ?? []).flatMap((/** @type {unknown} */ line) => {
    try {
      return [JSON.parse(String(line))];
    } catch (_text) {
      return [];
    }
  });
}

/**
 * Values that the warnings show, and those that a missing warning shows.
 * @param {any} reply of getLog
 * @param {boolean} isLinux where mongod checks the file system
 * @returns {{
 *   values: Values,
 *   unknown: Partial<Record<keyof HostValues, string>>
 * }}
 */
function ofWarnings(reply, isLinux) {
  const warnings = warningsIn(reply);
  if (warnings.length === 0) return { values: {}, unknown: {} };
  const values = Object.assign(
    {},
    ...warnings.map(({ id, attr = {} }) => VALUES_BY_ID[id]?.(attr) ?? {}),
  );
  const usable = Object.fromEntries(
    Object.entries(values).filter(([, value]) => !Number.isNaN(value)),
  );
  if (!isLinux) return { values: usable, unknown: {} };
  // mongod says it of every file system but XFS.
  const isXfs = !warnings.some(({ id }) => id === NOT_XFS);
  return {
    values: isXfs ? { ...usable, 'files.type': 'xfs' } : usable,
    unknown: isXfs ? {} : { 'files.type': 'the server only reports that it is not XFS' },
  };
}

module.exports = { ofWarnings };
