'use strict';

const { HostFileError } = require('../snapshot');
const { latest, span } = require('../part');
const { meminfo } = require('../meminfo');
const { groupsOf, tightest, numbersIn } = require('../cgroup');
const { serverFile, statusIn, kbToBytes } = require('../process-files');
const { processesIn } = require('../processes');
const { cacheOf } = require('../cache-option');

/** @typedef {import('../snapshot').Look} Look @typedef {import('../part').Subject} Subject */

const VMSTAT = '/proc/vmstat';
// Without a limit version 1 has the largest number of pages there is, some 8 EiB.
const NO_LIMIT_BYTES = 2 ** 60;
const OTHERS = 5;

/** Memory, and who has it. @type {import('../part').Area} */
const AREA = {
  snap: (look) => Promise.allSettled([meminfo(look), look.text(VMSTAT)]),
  values(looks, subject) {
    const look = latest(looks);
    const limit = async () => (await limitOf(look, subject)) ?? noLimit();
    return {
      'memory.totalBytes': async () => (await meminfo(look)).MemTotal,
      'memory.availableBytes': async () => (await meminfo(look)).MemAvailable,
      'memory.swapBytes': async () => (await meminfo(look)).SwapTotal,
      'memory.swapUsedBytes': async () => {
        const { SwapTotal, SwapFree } = await meminfo(look);
        return SwapTotal - SwapFree;
      },
      'memory.swapInBytesPerSec': () => swapInPerSec(looks),
      'memory.serverSwappedBytes': async () =>
        kbToBytes((await statusIn(look, serverFile(subject, 'status'))).VmSwap),
      'memory.mongods': () => mongodsIn(look, subject),
      'memory.others': async () =>
        (await processesIn(look))
          .filter(({ name, pid }) => name !== 'mongod' && pid !== subject.pid)
          .slice(0, OTHERS)
          .map(({ name, residentBytes }) => ({ name, residentBytes })),
      'memory.cgroupVersion': async () => (await groupsOf(look, subject, 'memory')).version,
      'memory.isLimited': async () => (await limitOf(look, subject)) !== null,
      'memory.limitBytes': async () => (await limit()).limit,
      'memory.limitUsedBytes': async () => {
        const { version } = await groupsOf(look, subject, 'memory');
        return (
          await numbersIn(
            look,
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
 * @param {Look} look
 * @param {Subject} subject
 * @returns {Promise<import('../cgroup').Tightest | null>} above memory.high the kernel slows a
 *   group down, above memory.max it kills
 */
async function limitOf(look, subject) {
  const groups = await groupsOf(look, subject, 'memory');
  const files = groups.version === 2 ? ['memory.max', 'memory.high'] : ['memory.limit_in_bytes'];
  return tightest(groups, async (folder) => {
    const limits = await Promise.all(files.map((file) => numbersIn(look, `${folder}/${file}`)));
    const set = limits
      .flatMap((numbers) => numbers ?? [])
      .filter((bytes) => bytes < NO_LIMIT_BYTES);
    return set.length === 0 ? null : Math.min(...set);
  });
}

/** @param {readonly Look[]} looks @returns {Promise<number>} */
async function swapInPerSec(looks) {
  const [first, last, seconds] = span(looks);
  const [before, after] = await Promise.all(
    [first, last].map(async (look) => pagesIn(await look.text(VMSTAT), 'pswpin')),
  );
  return ((after - before) * (await pageBytes(last))) / seconds;
}

/** @param {string} text @param {string} name @returns {number} */
function pagesIn(text, name) {
  const [, pages] = new RegExp(`^${name} (\\d+)$`, 'm').exec(text) ?? [];
  if (pages === undefined) throw new HostFileError(`${VMSTAT} tells no ${name}`);
  return Number(pages);
}

/**
 * The same memory in bytes and in pages, to the next power of two: pages of ARM and POWER may have
 * 64 KiB.
 * @param {Look} look
 * @returns {Promise<number>}
 */
async function pageBytes(look) {
  const [{ Mapped }, pages] = [await meminfo(look), pagesIn(await look.text(VMSTAT), 'nr_mapped')];
  if (!(Mapped > 0 && pages > 0)) throw new HostFileError('the size of a page is not known');
  return 2 ** Math.round(Math.log2(Mapped / pages));
}

/**
 * @param {Look} look
 * @param {Subject} subject
 * @returns {Promise<import('../pure/host').Mongod[]>}
 */
async function mongodsIn(look, subject) {
  const { MemTotal } = await meminfo(look);
  const found = (await processesIn(look)).filter(
    ({ name, pid }) => name === 'mongod' || pid === subject.pid,
  );
  return Promise.all(
    found.map(async ({ pid, residentBytes }) => ({
      pid,
      residentBytes,
      cacheBytes: await cacheOf(look, pid, MemTotal),
      isOurs: pid === subject.pid,
    })),
  );
}

module.exports = AREA;
