'use strict';

const { HostFileError } = require('./snapshot');

/**
 * @import { HostPart, HostValues } from './pure/host'
 * @import { Gathered } from './snapshot'
 */

/**
 * @typedef {{
 *   pid: number | null, dbPath: string | null, port: number | null, interface: string | null
 * }} Subject what to look at: mongod's
 *   process as this machine counts, its data folder, the port it listens on, the network interface
 *   when the user named one
 * @typedef {{
 *   [name in keyof HostValues]?: () => Promise<HostValues[name] | undefined> | HostValues[name] |
 *     undefined
 * }} Getters
 * @typedef {{
 *   snap?(snapshot: Gathered, subject: Subject): Promise<unknown>,
 *   values(snapshots: readonly Gathered[], subject: Subject): Getters
 * }} Area `snap` reads at every sample what changes from look to look, so that it is of that moment;
 *   `values`: how each value is got,
 *   from the samples in the order of time, one at least
 */

/**
 * @param {Getters} getters
 * @returns {Promise<HostPart>} a value that cannot be got is unknown, and why; a defect of ours
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
        if (value === undefined) part.unknown[key] = 'not told';
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
 * @param {Gathered} snapshot
 * @param {string} path
 * @returns {Promise<number>} a file that holds one whole number
 */
async function numberIn(snapshot, path) {
  const text = (await snapshot.text(path)).trim();
  if (!/^-?\d{1,20}$/.test(text))
    throw new HostFileError(`${path} holds no number: ${JSON.stringify(text.slice(0, 40))}`);
  return Number(text);
}

/** @param {readonly Gathered[]} snapshots @returns {Gathered} for what does not change meanwhile */
const latest = (snapshots) => snapshots[snapshots.length - 1];

/**
 * @param {readonly Gathered[]} snapshots
 * @returns {[Gathered, Gathered, number]} the first, the last, and the seconds between
 */
function span(snapshots) {
  const [first, last] = [snapshots[0], latest(snapshots)];
  const seconds = (last.atMs - first.atMs) / 1000;
  if (!(seconds > 0)) throw new HostFileError('it takes two samples');
  return [first, last, seconds];
}

module.exports = { collectPart, numberIn, latest, span };
