'use strict';

const { HostFileError } = require('./snapshot');

/**
 * Threads of the server that sleep and cannot be woken (state D): nearly always they wait for a
 * disk or a lock in the kernel.
 * @typedef {import('./snapshot').Look} Look
 * @typedef {import('./part').Subject} Subject
 * @typedef {{ name: string, wchan: string | null, stands: number }} Blocked `wchan`: the kernel
 *   function it sleeps in; `stands`: for how many threads
 */

// The name may hold anything, brackets too.
const STAT = /^\d+ \((.*)\) (\S)/s;
const BLOCKED = 'D';
// A thread takes some 20 µs; of more than these a look reads some, another look others, and each
// stands for several. Ours.
const MOST_THREADS = 4000;
// So many at a time, that the shell stays awake meanwhile.
const AT_ONCE = 250;
const MS_PER_SECOND = 1000;

/**
 * What was seen in a look; the files themselves, one or two a connection, are not kept.
 * @type {WeakMap<Look, Promise<Blocked[]>>}
 */
const seen = new WeakMap();

/**
 * Read at each look, so that each is of one moment.
 * @param {Look} look
 * @param {Subject} subject
 * @returns {Promise<Blocked[]>}
 */
function readThreads(look, subject) {
  const reading = seen.get(look) ?? readNow(look, subject);
  seen.set(look, reading);
  return reading;
}

/** @param {Look} look @param {Subject} subject @returns {Promise<Blocked[]>} */
async function readNow(look, { pid }) {
  if (pid === null) throw new HostFileError("the server's process is not known");
  const folder = `/proc/${pid}/task`;
  const ids = await look.list(folder);
  const stands = Math.ceil(ids.length / MOST_THREADS);
  const chosen = ids.filter((_, i) => (i + Math.floor(look.atMs / MS_PER_SECOND)) % stands === 0);
  /** @type {Blocked[]} */
  const blocked = [];
  for (let at = 0; at < chosen.length; at += AT_ONCE) {
    const threads = await Promise.all(
      chosen.slice(at, at + AT_ONCE).map((id) => readThread(look, `${folder}/${id}`)),
    );
    blocked.push(...threads.flatMap((thread) => (thread === null ? [] : [{ ...thread, stands }])));
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  return blocked;
}

/**
 * @param {Look} look
 * @param {string} folder
 * @returns {Promise<Omit<Blocked, 'stands'> | null>} null: it runs, or has ended meanwhile
 */
async function readThread(look, folder) {
  const [, name, state] = STAT.exec(await orEmpty(look.passing(`${folder}/stat`))) ?? [];
  if (state !== BLOCKED) return null;
  const wchan = (await orEmpty(look.passing(`${folder}/wchan`))).trim();
  // 0: to whom the thread does not belong it is not told, or it runs again.
  return { name: name.replace(/\d+$/, ''), wchan: wchan === '' || wchan === '0' ? null : wchan };
}

/** @param {Promise<string>} reading */
async function orEmpty(reading) {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof HostFileError)) throw error;
    return '';
  }
}

/**
 * @param {readonly Look[]} looks @param {Subject} subject
 * @returns {Promise<import('./pure/host').BlockedThreads[]>} most threads first
 */
async function blockedThreads(looks, subject) {
  const all = (await Promise.all(looks.map((look) => readThreads(look, subject)))).flat();
  return [...new Set(all.map(({ wchan }) => wchan))]
    .map((wchan) => {
      const same = all.filter((thread) => thread.wchan === wchan);
      return {
        wchan,
        threads: same.reduce((sum, { stands }) => sum + stands, 0) / looks.length,
        names: [...new Set(same.map(({ name }) => name))].sort(),
      };
    })
    .sort((a, b) => b.threads - a.threads);
}

module.exports = { readThreads, blockedThreads };
