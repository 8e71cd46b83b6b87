'use strict';

const { HostFileError, makeSnapshot } = require('./snapshot');

/**
 * @import { Gathered } from './snapshot'
 */

/**
 * What the collecting script wrote: the raw files, so that the same code reads them here.
 * @typedef {{ atMs: number, files: Record<string, string>, failed?: Record<string, string> }}
 *   RecordedLook a file that is not in a later look did not change
 * @typedef {{
 *   format: 'mongosh-tune host', version: 1, pid: number | null, dbPath: string | null,
 *   port: number | null, host?: string, serverVersion?: string, cacheBytes?: number | null,
 *   snapshots: RecordedLook[], links: Record<string, string>, commands: Record<string, string>,
 *   failed?: Record<string, string>
 * }} HostDocument `failed`: path or command → why it is not there; `serverVersion`: empty where it
 *   is not known
 */

/** As the operating system has it. */
const CODES = Object.freeze(
  /** @type {Record<string, string>} */ ({
    'not there': 'ENOENT',
    'not readable by this user': 'EACCES',
  }),
);

/**
 * @param {HostDocument} document
 * @returns {Gathered[]}
 */
function recordedSnapshots({ snapshots, links, commands, failed = {} }) {
  /** @type {Record<string, string>} */
  let sofar = {};
  /** @type {Record<string, string>} */
  let lacking = failed;
  return snapshots.map((one) => {
    const all = (sofar = { ...sofar, ...one.files });
    const why = (lacking = { ...lacking, ...one.failed });
    // What could not be read was there all the same.
    const paths = [
      ...Object.keys(all),
      ...Object.keys(links),
      ...Object.keys(why).filter((name) => why[name] !== 'not there'),
    ];
    const found = (/** @type {Record<string, string>} */ map, /** @type {string} */ name) => {
      if (Object.hasOwn(map, name)) return map[name];
      throw missing(name, Object.hasOwn(why, name) ? why[name] : undefined);
    };
    return makeSnapshot(
      {
        text: async (path) => found(all, path),
        link: async (path) => found(links, path),
        command: async (name) => found(commands, name),
        list: async (folder) => {
          if (Object.hasOwn(why, folder)) throw missing(folder, why[folder]);
          return childrenOf(paths, folder);
        },
      },
      one.atMs,
    );
  });
}

/** @param {string} name @param {string | undefined} why @returns {HostFileError} */
function missing(name, why) {
  if (why === undefined) return new HostFileError(`${name} is not in the file`);
  return Object.assign(new HostFileError(`${name} is ${why}`), { code: CODES[why] });
}

/** @param {readonly string[]} paths @param {string} folder @returns {string[]} */
function childrenOf(paths, folder) {
  const start = folder.endsWith('/') ? folder : `${folder}/`;
  const names = [
    ...new Set(
      paths
        .filter((path) => path.startsWith(start))
        .map((path) => path.slice(start.length).split('/')[0]),
    ),
  ].sort();
  if (names.length === 0) throw new HostFileError(`${folder} is not in the file`);
  return names;
}

module.exports = { recordedSnapshots };
