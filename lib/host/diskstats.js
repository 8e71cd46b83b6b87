'use strict';

const { HostFileError } = require('./snapshot');

/**
 * @import { Gathered } from './snapshot'
 */

/**
 * /proc/diskstats: admin-guide/iostats.rst. Counted since the machine started; the milliseconds in
 * 32 bits.
 * @typedef {{
 *   numbers: string, name: string, reads: number, readBytes: number, readMs: number,
 *   writes: number, writtenBytes: number, writeMs: number, busyMs: number, waitingMs: number
 * }} DiskCounters `busyMs`: at least one request was under way; `waitingMs`: of all requests
 *   together
 */

const PATH = '/proc/diskstats';
/** Whatever the disk's own sectors are. */
const SECTOR_BYTES = 512;
const MIN_FIELDS = 14;
const WRAP = 2 ** 32;

/** @param {Gathered} snapshot @returns {Promise<Map<string, DiskCounters>>} by the name as in /sys */
async function diskstats(snapshot) {
  const rows = (await snapshot.text(PATH))
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(
      (row) => row.length >= MIN_FIELDS && row.every((field, i) => i === 2 || /^\d+$/.test(field)),
    );
  if (rows.length === 0) throw new HostFileError(`${PATH} is not as it should be`);
  return new Map(
    rows.map((row) => {
      const one = countersOf(row);
      return [one.name, one];
    }),
  );
}

/** @param {string[]} row @returns {DiskCounters} */
function countersOf([major, minor, name, ...fields]) {
  const [reads, , readSectors, readMs, writes, , writtenSectors, writeMs, , busyMs, waitingMs] =
    fields.map(Number);
  return {
    numbers: `${major}:${minor}`,
    name: name.replaceAll('/', '!'),
    reads,
    readBytes: readSectors * SECTOR_BYTES,
    readMs,
    writes,
    writtenBytes: writtenSectors * SECTOR_BYTES,
    writeMs,
    busyMs,
    waitingMs,
  };
}

/**
 * @typedef {'reads' | 'readBytes' | 'readMs' | 'writes' | 'writtenBytes' | 'writeMs' | 'busyMs' |
 *   'waitingMs'} Counted
 */

/**
 * What was done from one sample to another.
 * @param {Gathered} from @param {Gathered} to @param {string} name
 * @returns {Promise<Record<Counted, number> & { seconds: number }>}
 */
async function doneBetween(from, to, name) {
  const [before, after] = (await Promise.all([diskstats(from), diskstats(to)])).map((all) =>
    all.get(name),
  );
  if (before === undefined || after === undefined)
    throw new HostFileError(`${PATH} has no ${name}`);
  const grown = (/** @type {Counted} */ counter) => {
    const more = after[counter] - before[counter];
    if (more >= 0) return more;
    // Only the milliseconds wrap; anything else began anew.
    if (counter.endsWith('Ms') && before[counter] > WRAP / 2 && before[counter] < WRAP)
      return more + WRAP;
    throw new HostFileError(`the counters of ${name} began anew`);
  };
  return {
    reads: grown('reads'),
    readBytes: grown('readBytes'),
    readMs: grown('readMs'),
    writes: grown('writes'),
    writtenBytes: grown('writtenBytes'),
    writeMs: grown('writeMs'),
    busyMs: grown('busyMs'),
    waitingMs: grown('waitingMs'),
    seconds: (to.atMs - from.atMs) / 1000,
  };
}

module.exports = { diskstats, doneBetween };
