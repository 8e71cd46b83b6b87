'use strict';

/**
 * @import { HostPart, HostValues } from './pure/host'
 */

/**
 * A snapshot of a machine has its files at one moment, whether they lie under `/`, under a folder,
 * or in a recorded document.
 *
 * @typedef {{
 *   text(path: string): Promise<string>, passing?(path: string): Promise<string>,
 *   list(path: string): Promise<string[]>, link(path: string): Promise<string>,
 *   command(name: string): Promise<string>
 * }} Files each function rejects with a HostFileError that says why there is nothing; `command`:
 *   the output of one of COMMANDS
 * @typedef {Files & { atMs: number, passing(path: string): Promise<string> }} Gathered `passing`:
 *   reads a text without keeping it, for files below /proc of which there are thousands
 */

/**
 * The reason why something cannot be read; `message` is short enough for brackets in a sentence.
 */
class HostFileError extends Error {
  /** The operating system's code, where there is one. @type {string | undefined} */
  code;
}

const REASONS = Object.freeze(
  /** @type {Record<string, string>} */ ({
    ENOENT: 'not there',
    ENOTDIR: 'not there',
    EACCES: 'not readable by this user',
    EPERM: 'not readable by this user',
    ESRCH: 'the process has ended',
    EINVAL: 'not reported by the kernel',
  }),
);

/**
 * Explains in words why a file cannot be read.
 * @param {string} path
 * @param {unknown} error
 * @returns {HostFileError}
 */
function unreadable(path, error) {
  const { code = 'error' } = /** @type {{ code?: string }} */ (error);
  return Object.assign(
    new HostFileError(`${path} is ${REASONS[code] ?? `not readable: ${code}`}`),
    { code },
  );
}

/**
 * Reads each file once: a sample is of one moment, however often its values are requested.
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
        // A read ahead ignores the rejection; a later reader gets the same one.
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

/**
 * @typedef {{
 *   pid: number | null, dbPath: string | null, port: number | null, interface: string | null
 * }} Subject the machine to read: mongod's process number on this machine, its data folder, the
 *   port it listens on, and the network interface when the user named one
 * @typedef {{
 *   [name in keyof HostValues]?: () => Promise<HostValues[name] | undefined> | HostValues[name] |
 *     undefined
 * }} Getters
 * @typedef {{
 *   snap?(snapshot: Gathered, subject: Subject): Promise<unknown>,
 *   values(snapshots: readonly Gathered[], subject: Subject): Getters
 * }} Area `snap`: reads at every sample what changes between samples, so that it is of that moment;
 *   `values`: how to get each value from the samples, at least one, in the order of time
 */

/**
 * Gets each value of an area by itself; a value that fails is unknown.
 * @param {Getters} getters
 * @returns {Promise<HostPart>} `unknown` says why a value is missing; a defect of this program
 *   throws
 */
async function collectPart(getters) {
  /** @type {HostPart} */
  const part = { values: {}, unknown: {} };
  await Promise.all(
    Object.entries(getters).map(async ([name, get]) => {
      const key = /** @type {keyof HostValues} */ (name);
      try {
        const value = await /** @type {() => unknown} */ (get)();
        if (value === undefined) part.unknown[key] = 'not reported';
        else /** @type {any} */ (part.values)[key] = value;
      } catch (error) {
        if (!(error instanceof HostFileError)) throw error;
        part.unknown[key] = error.message;
      }
    }),
  );
  return part;
}

/**
 * Reads a file with one number.
 * @param {Gathered} snapshot
 * @param {string} path
 * @returns {Promise<number>} the whole number that the file holds
 */
async function numberIn(snapshot, path) {
  const text = (await snapshot.text(path)).trim();
  if (!/^-?\d{1,20}$/.test(text))
    throw new HostFileError(`${path} contains no number: ${JSON.stringify(text.slice(0, 40))}`);
  return Number(text);
}

/**
 * The snapshot for values that do not change meanwhile.
 * @param {readonly Gathered[]} snapshots
 * @returns {Gathered}
 */
const latest = (snapshots) => snapshots[snapshots.length - 1];

/**
 * Finds the two ends of the samples.
 * @param {readonly Gathered[]} snapshots
 * @returns {[Gathered, Gathered, number]} the first, the last, and the seconds between
 */
function span(snapshots) {
  const [first, last] = [snapshots[0], latest(snapshots)];
  const seconds = (last.atMs - first.atMs) / 1000;
  if (!(seconds > 0)) throw new HostFileError('two samples are needed');
  return [first, last, seconds];
}

module.exports = { makeSnapshot, unreadable, HostFileError, collectPart, numberIn, latest, span };
