'use strict';

const { HostFileError } = require('../snapshot');
const { latest, span } = require('../part');
const { meminfo } = require('../meminfo');
const { groupsOf, tightest, numbersIn } = require('../cgroup');
const { serverFile, statusIn, kbToBytes } = require('../process-files');
const { processesIn } = require('../processes');
const { cacheOf } = require('../cache-option');

/**
 * @import { Tightest } from '../cgroup'
 * @import { Area, Subject } from '../part'
 * @import { Mongod } from '../pure/host'
 * @import { Gathered } from '../snapshot'
 */

const VMSTAT = '/proc/vmstat';
// Without a limit version 1 has the largest number of pages there is, some 8 EiB.
const NO_LIMIT_BYTES = 2 ** 60;
const OTHERS = 5;

/** Memory, and who has it. @type {Area} */
const AREA = {
  snap: (snapshot) => Promise.allSettled([meminfo(snapshot), snapshot.text(VMSTAT)]),
  values(snapshots, subject) {
    const snapshot = latest(snapshots);
    const limit = async () => (await limitOf(snapshot, subject)) ?? noLimit();
    return {
      'memory.totalBytes': async () => (await meminfo(snapshot)).MemTotal,
      'memory.availableBytes': async () => (await meminfo(snapshot)).MemAvailable,
      'memory.swapBytes': async () => (await meminfo(snapshot)).SwapTotal,
      'memory.swapUsedBytes': async () => {
        const { SwapTotal, SwapFree } = await meminfo(snapshot);
        return SwapTotal - SwapFree;
      },
      'memory.swapInPagesPerSec': () => swapInPagesPerSec(snapshots),
      'memory.serverSwappedBytes': async () =>
        kbToBytes((await statusIn(snapshot, serverFile(subject, 'status'))).VmSwap),
      'memory.mongods': () => mongodsIn(snapshot, subject),
      'memory.others': async () =>
        (await processesIn(snapshot))
          .filter(({ name, pid }) => name !== 'mongod' && pid !== subject.pid)
          .slice(0, OTHERS)
          .map(({ name, residentBytes }) => ({ name, residentBytes })),
      'memory.cgroupVersion': async () => (await groupsOf(snapshot, subject, 'memory')).version,
      'memory.isLimited': async () => (await limitOf(snapshot, subject)) !== null,
      'memory.limitBytes': async () => (await limit()).limit,
      'memory.limitUsedBytes': async () => {
        const { version } = await groupsOf(snapshot, subject, 'memory');
        return (
          await numbersIn(
            snapshot,
            `${(await limit()).folder}/${version === 2 ? 'memory.current' : 'memory.usage_in_bytes'}`,
          )
        )?.[0];
      },
    };
  },
};

/** @returns {never} */
function noLimit() {
  throw new HostFileError('no limit is set');
}

/**
 * @param {Gathered} snapshot
 * @param {Subject} subject
 * @returns {Promise<Tightest | null>} above memory.high the kernel slows a
 *   group down, above memory.max it kills
 */
async function limitOf(snapshot, subject) {
  const groups = await groupsOf(snapshot, subject, 'memory');
  const files = groups.version === 2 ? ['memory.max', 'memory.high'] : ['memory.limit_in_bytes'];
  return tightest(groups, async (folder) => {
    const limits = await Promise.all(files.map((file) => numbersIn(snapshot, `${folder}/${file}`)));
    const set = limits
      .flatMap((numbers) => numbers ?? [])
      .filter((bytes) => bytes < NO_LIMIT_BYTES);
    return set.length === 0 ? null : Math.min(...set);
  });
}

/** Pages that come back from swap. @param {readonly Gathered[]} snapshots @returns {Promise<number>} */
async function swapInPagesPerSec(snapshots) {
  const [first, last, seconds] = span(snapshots);
  const [before, after] = await Promise.all(
    [first, last].map(async (snapshot) => pagesIn(await snapshot.text(VMSTAT), 'pswpin')),
  );
  return (after - before) / seconds;
}

/** @param {string} text @param {string} name @returns {number} */
function pagesIn(text, name) {
  const [, pages] = new RegExp(`^${name} (\\d+)$`, 'm').exec(text) ?? [];
  if (pages === undefined) throw new HostFileError(`${VMSTAT} tells no ${name}`);
  return Number(pages);
}

/**
 * @param {Gathered} snapshot
 * @param {Subject} subject
 * @returns {Promise<Mongod[]>}
 */
async function mongodsIn(snapshot, subject) {
  const { MemTotal } = await meminfo(snapshot);
  const found = (await processesIn(snapshot)).filter(
    ({ name, pid }) => name === 'mongod' || pid === subject.pid,
  );
  return Promise.all(
    found.map(async ({ pid, residentBytes }) => ({
      pid,
      residentBytes,
      cacheBytes: await cacheOf(snapshot, pid, MemTotal),
      isOurs: pid === subject.pid,
    })),
  );
}

module.exports = AREA;
