'use strict';

const { posix } = require('node:path');
const { HostFileError } = require('./snapshot');

/**
 * @import { Gathered, Subject } from './snapshot'
 */

/**
 * Finds the mount that a path is on: proc_pid_mountinfo(5) of the server's own process, which has
 * the server's view of the files.
 * @typedef {{
 *   id: string, parent: string, numbers: string, point: string, options: string[], type: string,
 *   source: string
 * }} Mount
 *   `numbers`: major:minor of the device, 0:… where there is none; `options`: those of the mount
 *   and of the file system
 */

/** The kernel follows at most this many links. */
const MAX_LINKS = 40;
/**
 * Optional words, a dash, and three words of the file system follow behind six words of the mount.
 */
const WORDS_BEFORE = 6;
const WORDS_BEHIND = 3;

/**
 * Finds the mount that holds dbPath.
 * @param {Gathered} snapshot
 * @param {Subject} subject
 * @returns {Promise<{ path: string, mount: Mount }>}
 */
async function dbPathMount(snapshot, subject) {
  const { pid } = subject;
  if (pid === null) throw new HostFileError("the server's process is not known");
  const file = `/proc/${pid}/mountinfo`;
  const mounts = (await snapshot.text(file)).split('\n').flatMap(parseMount);
  const path = await realPath(snapshot, subject);
  const mount = mountOf(mounts, path);
  if (mount === undefined) throw new HostFileError(`${file} has no mount for ${path}`);
  return { path, mount };
}

/**
 * Parses one line of mountinfo.
 * @param {string} line
 * @returns {Mount[]} empty for a line of another form
 */
function parseMount(line) {
  const words = line.split(' ');
  const dash = words.indexOf('-', WORDS_BEFORE);
  const [[id, parent, numbers, , point, options], [type, source, more]] = [
    words,
    words.slice(dash + 1),
  ];
  if (dash < 0 || words.length !== dash + 1 + WORDS_BEHIND || !/^\d+:\d+$/.test(numbers)) return [];
  return [
    {
      id,
      parent,
      numbers,
      point: unescape(point),
      options: [...new Set(`${options},${more}`.split(','))],
      type,
      source: unescape(source),
    },
  ];
}

/** Decodes space, tab, line feed and backslash, which are written in octal. @param {string} text */
const unescape = (text) =>
  text.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(parseInt(octal, 8)));

/**
 * Walks as the kernel does, from the root over each mount on the path, so that it never returns a
 * mount that a later one hides.
 * @param {readonly Mount[]} mounts
 * @param {string} path
 * @returns {Mount | undefined}
 */
function mountOf(mounts, path) {
  const ids = new Set(mounts.map(({ id }) => id));
  const way = mounts
    .filter(({ point, parent, id }) => point === '/' && (parent === id || !ids.has(parent)))
    .slice(0, 1);
  for (const at of way) {
    const [next] = mounts
      .filter(
        (mount) => mount.parent === at.id && !way.includes(mount) && isBelow(path, mount.point),
      )
      .sort((a, b) => a.point.length - b.point.length);
    if (next !== undefined) way.push(next);
  }
  return way.at(-1);
}

/** @param {string} path @param {string} folder */
const isBelow = (path, folder) =>
  folder === '/' || path === folder || path.startsWith(`${folder}/`);

/**
 * Resolves the symbolic links of dbPath.
 * @param {Gathered} snapshot
 * @param {Subject} subject
 * @returns {Promise<string>}
 */
async function realPath(snapshot, { pid, dbPath }) {
  if (dbPath === null) throw new HostFileError('dbPath is not known');
  const start = posix.isAbsolute(dbPath)
    ? dbPath
    : posix.join(await snapshot.link(`/proc/${pid}/cwd`), dbPath);
  let [done, rest] = ['', namesOf(start)];
  for (let links = 0; rest.length > 0;) {
    const next = `${done}/${rest[0]}`;
    rest = rest.slice(1);
    const target = await linkAt(snapshot, pid, next);
    if (target === null) done = next;
    else {
      if (++links > MAX_LINKS)
        throw new HostFileError(`the symbolic links of ${dbPath} form a loop`);
      [done, rest] = ['', [...namesOf(posix.resolve(done || '/', target)), ...rest]];
    }
  }
  return done || '/';
}

/** @param {string} path */
const namesOf = (path) => posix.normalize(path).split('/').filter(Boolean);

/**
 * Reads a link as the server sees it; where this user may not see the server's root, as this
 * process sees it.
 * @param {Gathered} snapshot
 * @param {number | null} pid
 * @param {string} path
 * @returns {Promise<string | null>} null: the path is no link
 */
async function linkAt(snapshot, pid, path) {
  for (const root of [`/proc/${pid}/root`, '']) {
    try {
      return await snapshot.link(`${root}${path}`);
    } catch (error) {
      if (!(error instanceof HostFileError)) throw error;
      if (error.code === 'EINVAL') return null;
    }
  }
  return null;
}

module.exports = { dbPathMount };
