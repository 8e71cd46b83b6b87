'use strict';

const { HostFileError } = require('../snapshot');
const { numberIn, latest, span } = require('../part');
const { dbPathDisk } = require('../block-devices');
const { diskstats, doneBetween } = require('../diskstats');

/**
 * @typedef {import('../snapshot').Look} Look
 * @typedef {import('../pure/host').DiskSecond} DiskSecond
 */

const KIB = 1024;
const MS_PER_SECOND = 1000;

/** The disk under dbPath: what it is, and what it does. @type {import('../part').Area} */
const AREA = {
  snap: (look) => diskstats(look),
  values(looks, subject) {
    const look = latest(looks);
    const disk = () => dbPathDisk(look, subject);
    const queue = async (/** @type {string} */ file) =>
      `/sys/block/${(await disk()).name}/queue/${file}`;
    return {
      'disk.name': async () => (await disk()).name,
      'disk.members': async () => (await disk()).members,
      'disk.isRotational': async () => (await numberIn(look, await queue('rotational'))) === 1,
      'disk.readAheadBytes': async () => KIB * (await numberIn(look, await queue('read_ahead_kb'))),
      'disk.schedulers': async () =>
        Promise.all((await disk()).members.map((name) => schedulerOf(look, name))),
      'disk.model': async () => models(look, (await disk()).members),
      ...measured(looks, async () => (await disk()).name),
    };
  },
};

/**
 * @param {readonly Look[]} looks
 * @param {() => Promise<string>} disk
 * @returns {import('../part').Getters}
 */
function measured(looks, disk) {
  const done = async () => {
    const [first, last] = span(looks);
    return doneBetween(first, last, await disk());
  };
  const perSec = (/** @type {import('../diskstats').Counted} */ counter) => async () => {
    const all = await done();
    return all[counter] / all.seconds;
  };
  return {
    'disk.readMs': async () => each(await done(), 'readMs', 'reads'),
    'disk.writeMs': async () => each(await done(), 'writeMs', 'writes'),
    'disk.queue': async () => (await perSec('waitingMs')()) / MS_PER_SECOND,
    'disk.utilisationRatio': async () => Math.min(1, (await perSec('busyMs')()) / MS_PER_SECOND),
    'disk.readBytesPerSec': perSec('readBytes'),
    'disk.writtenBytesPerSec': perSec('writtenBytes'),
    'disk.readsPerSec': perSec('reads'),
    'disk.writesPerSec': perSec('writes'),
    'disk.seconds': async () => seconds(looks, await disk()),
  };
}

/**
 * @param {Awaited<ReturnType<typeof doneBetween>>} done
 * @param {'readMs' | 'writeMs'} ms
 * @param {'reads' | 'writes'} requests
 */
function each(done, ms, requests) {
  if (done[requests] === 0) throw new HostFileError(`no ${requests} meanwhile`);
  return done[ms] / done[requests];
}

/** @param {readonly Look[]} looks @param {string} name @returns {Promise<DiskSecond[]>} */
async function seconds(looks, name) {
  span(looks);
  return Promise.all(
    looks.slice(1).map(async (look, i) => {
      const done = await doneBetween(looks[i], look, name);
      return {
        writtenBytesPerSec: done.writtenBytes / done.seconds,
        readBytesPerSec: done.readBytes / done.seconds,
        writesPerSec: done.writes / done.seconds,
        utilisationRatio: Math.min(1, done.busyMs / done.seconds / MS_PER_SECOND),
        queue: done.waitingMs / done.seconds / MS_PER_SECOND,
      };
    }),
  );
}

/**
 * @param {Look} look
 * @param {string} name
 * @returns {Promise<import('../pure/host').Scheduler>}
 */
async function schedulerOf(look, name) {
  const target = `/sys/block/${name}/queue/scheduler`;
  const words = (await look.text(target)).trim().split(/\s+/);
  // `noop [deadline] cfq`; a single word where there is no choice.
  const active =
    words.find((word) => /^\[.+\]$/.test(word)) ?? (words.length === 1 ? words[0] : undefined);
  if (!active) throw new HostFileError(`${target} names no scheduler`);
  return {
    target,
    active: active.replace(/[[\]]/g, ''),
    available: words.map((word) => word.replace(/[[\]]/g, '')),
  };
}

/** @param {Look} look @param {readonly string[]} members */
async function models(look, members) {
  const names = await Promise.all(
    members.map(async (name) => (await look.text(`/sys/block/${name}/device/model`)).trim()),
  );
  return [...new Set(names)].join(', ');
}

module.exports = AREA;
