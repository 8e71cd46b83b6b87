'use strict';

const { HostFileError } = require('./snapshot');

/**
 * @typedef {import('./pure/host').HostValues} HostValues
 * @typedef {import('./pure/host').HostPart} HostPart
 * @typedef {import('./snapshot').Look} Look
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
 *   snap?(look: Look, subject: Subject): Promise<unknown>,
 *   values(looks: readonly Look[], subject: Subject): Getters
 * }} Area `snap` reads at every look what changes from look to look, so that it is of that moment;
 *   `values`: how each value is got,
 *   from the looks in the order of time, one at least
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
 * @param {Look} look
 * @param {string} path
 * @returns {Promise<number>} a file that holds one whole number
 */
async function numberIn(look, path) {
  const text = (await look.text(path)).trim();
  if (!/^-?\d{1,20}$/.test(text))
    throw new HostFileError(`${path} holds no number: ${JSON.stringify(text.slice(0, 40))}`);
  return Number(text);
}

/** @param {readonly Look[]} looks @returns {Look} for what does not change meanwhile */
const latest = (looks) => looks[looks.length - 1];

/**
 * @param {readonly Look[]} looks
 * @returns {[Look, Look, number]} the first, the last, and the seconds between
 */
function span(looks) {
  const [first, last] = [looks[0], latest(looks)];
  const seconds = (last.atMs - first.atMs) / 1000;
  if (!(seconds > 0)) throw new HostFileError('it takes two looks');
  return [first, last, seconds];
}

module.exports = { collectPart, numberIn, latest, span };
