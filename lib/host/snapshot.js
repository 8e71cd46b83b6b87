'use strict';

/**
 * One look at a machine: its files at one moment, whether they lie under `/`, under a folder, or in
 * a recorded document.
 *
 * @typedef {{
 *   text(path: string): Promise<string>, passing?(path: string): Promise<string>,
 *   list(path: string): Promise<string[]>, link(path: string): Promise<string>,
 *   command(name: string): Promise<string>
 * }} Files each rejects with a HostFileError that says why there is nothing; `command`: output of
 *   one of COMMANDS
 * @typedef {Files & { atMs: number, passing(path: string): Promise<string> }} Gathered `passing`: a
 *   text that is not kept, for files below /proc of which there are thousands
 */

/** Why something cannot be read; `message` is short enough to stand in brackets. */
class HostFileError extends Error {
  /** Of the operating system, where there is one. @type {string | undefined} */
  code;
}

const REASONS = Object.freeze(
  /** @type {Record<string, string>} */ ({
    ENOENT: 'not there',
    ENOTDIR: 'not there',
    EACCES: 'not readable by this user',
    EPERM: 'not readable by this user',
    ESRCH: 'the process has ended',
    EINVAL: 'not told by the kernel',
  }),
);

/** @param {string} path @param {unknown} error @returns {HostFileError} */
function unreadable(path, error) {
  const { code = 'error' } = /** @type {{ code?: string }} */ (error);
  return Object.assign(
    new HostFileError(`${path} is ${REASONS[code] ?? `not readable: ${code}`}`),
    { code },
  );
}

/**
 * Reads everything once: a sample is one moment, however often its values are asked for.
 * @param {Files} files @param {number} atMs
 * @returns {Gathered}
 */
function makeSnapshot(files, atMs) {
  const once = (/** @type {(path: string) => Promise<any>} */ read) => {
    /** @type {Map<string, Promise<any>>} */
    const seen = new Map();
    return (/** @type {string} */ path) => {
      if (!seen.has(path)) {
        const reading = read(path);
        // Who reads ahead does not look at it; the one who asks later gets the same rejection.
        reading.catch(() => {});
        seen.set(path, reading);
      }
      return /** @type {Promise<any>} */ (seen.get(path));
    };
  };
  return {
    atMs,
    passing: files.passing ?? files.text,
    text: once(files.text),
    list: once(files.list),
    link: once(files.link),
    command: once(files.command),
  };
}

module.exports = { makeSnapshot, unreadable, HostFileError };
