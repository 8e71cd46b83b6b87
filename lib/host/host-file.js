'use strict';

const fs = require('node:fs/promises');
const { TuneError } = require('../base/pure/errors');
const { bytes, MiB, many, timeText } = require('../base/pure/units');
const { versionNumber } = require('../base/pure/version');
const { expandHome } = require('../base/named-files');
const { readAreas } = require('./examine-host');
const { mergeHost } = require('./pure/host');
const { HostFileError, makeSnapshot } = require('./snapshot');

/**
 * @import { Seen } from './examine-host'
 * @import { HostValues } from './pure/host'
 * @import { Gathered } from './snapshot'
 * @import { HostDocument } from './types'
 */

const FORMAT = 'mongosh-tune host';
// A host with 2,000 threads writes 1.3 MB a sample: this holds one minute of its samples, or two
// samples of 100,000 threads.
const MAX_BYTES = 128 * MiB;
const MAX_SNAPSHOTS = 3601;
// The largest file is /proc/<pid>/maps, 100 bytes a line, and may have 131,060 lines and more.
const MAX_FILE_BYTES = 32 * MiB;
const MAX_NAME_BYTES = 4096;

/**
 * Reads a document of the collecting script.
 * @param {string} name a file that the script of tune.host.collect() wrote
 * @param {string | null} networkInterface
 * @returns {Promise<Seen>}
 */
async function readHostFile(name, networkInterface) {
  const document = await parse(name);
  const {
    pid,
    dbPath = null,
    port = null,
    host = null,
    serverVersion,
    cacheBytes = null,
  } = document;
  const version = serverVersion ?? '';
  const snapshots = recordedSnapshots(document);
  const part = await readAreas(snapshots, { pid, dbPath, port, interface: networkInterface });
  const at = new Date(snapshots[snapshots.length - 1].atMs);
  return {
    at,
    host,
    version: version || null,
    part: mergeHost(part, { values: serverValues(version, cacheBytes), unknown: {} }),
    place: {
      kind: 'file',
      say:
        `From ${name}: ${many(snapshots.length, 'sample')} of ${host ?? 'a machine'}` +
        `${snapshots.length > 1 ? ', the last' : ''} at ${timeText(at)} UTC; mongod is process ${pid}.`,
      pid,
    },
    notes: snapshots.length > 1 ? [] : ['Only one sample: rates are not known.'],
  };
}

/**
 * @param {string} version
 * @param {number | null} cacheBytes
 * @returns {Partial<HostValues>}
 */
function serverValues(version, cacheBytes) {
  return {
    ...(version === '' ? {} : { 'server.versionNumber': versionNumber(version) }),
    ...(cacheBytes === null ? {} : { 'server.cacheBytes': cacheBytes }),
  };
}

/** @param {string} name @returns {Promise<HostDocument>} */
async function parse(name) {
  const not = (/** @type {string} */ why) =>
    new TuneError(
      'TUNE-40006',
      `tune.host: ${name} is not a file of the collecting script: ${why}.`,
      { value: name, allowed: FORMAT },
    );
  const text = await readBounded(name, not);
  let document;
  try {
    document = JSON.parse(text);
  } catch (_cut) {
    throw not(text.trim() === '' ? 'it is empty' : 'it is not a complete JSON document');
  }
  if (document?.format !== FORMAT || document.version !== 1)
    throw not(`it lacks "format": "${FORMAT}", "version": 1`);
  const wrong = Object.entries(FIELDS).find(([field, isRight]) => !isRight(document[field]));
  if (wrong !== undefined) throw not(`its "${wrong[0]}" has an unexpected format`);
  return document;
}

/** @param {string} name @param {(why: string) => TuneError} not @returns {Promise<string>} */
async function readBounded(name, not) {
  const unreadable = (/** @type {any} */ cause) => {
    throw new TuneError('TUNE-40002', `tune.host: ${name} cannot be read (${cause.code}).`, {
      value: name,
      cause,
    });
  };
  const { size } = await fs.stat(expandHome(name)).catch(unreadable);
  if (size > MAX_BYTES)
    throw not(`it has ${bytes(size)}, more than the maximum of ${bytes(MAX_BYTES)}`);
  return fs.readFile(expandHome(name), 'utf8').catch(unreadable);
}

const isName = (/** @type {unknown} */ value) =>
  typeof value === 'string' && value.length <= MAX_NAME_BYTES;
const isCount = (/** @type {unknown} */ value) => Number.isSafeInteger(value) && Number(value) >= 0;
const orAbsent =
  (/** @type {(value: unknown) => boolean} */ isRight) => (/** @type {unknown} */ value) =>
    value === undefined || value === null || isRight(value);

/** @param {unknown} map */
const isTexts = (map) =>
  map !== null &&
  typeof map === 'object' &&
  !Array.isArray(map) &&
  Object.entries(map).every(
    ([name, value]) => isName(name) && typeof value === 'string' && value.length <= MAX_FILE_BYTES,
  );

/** @param {any} snapshot */
const isSnapshot = (snapshot) =>
  snapshot !== null &&
  typeof snapshot === 'object' &&
  isTexts(snapshot.files) &&
  orAbsent(isTexts)(snapshot.failed) &&
  !Number.isNaN(new Date(snapshot.atMs ?? NaN).getTime());

/** @param {any} snapshots in the order of time */
const areSnapshots = (snapshots) =>
  Array.isArray(snapshots) &&
  snapshots.length > 0 &&
  snapshots.length <= MAX_SNAPSHOTS &&
  snapshots.every(
    (snapshot, i) =>
      isSnapshot(snapshot) &&
      Number.isFinite(snapshot.atMs) &&
      (i === 0 || snapshot.atMs >= snapshots[i - 1].atMs),
  );

/** The fields of a recorded document. @type {Readonly<Record<string, (value: any) => boolean>>} */
const FIELDS = Object.freeze({
  pid: isCount,
  port: orAbsent(isCount),
  cacheBytes: orAbsent(isCount),
  dbPath: orAbsent(isName),
  host: orAbsent(isName),
  serverVersion: orAbsent(isName),
  snapshots: areSnapshots,
  links: isTexts,
  commands: isTexts,
  failed: orAbsent(isTexts),
});

/**
 * The collecting script writes the raw files, so that the same code parses them here.
 * @typedef {{ atMs: number, files: Record<string, string>, failed?: Record<string, string> }}
 *   RecordedSample a file that is missing in a later sample did not change
 */

/** The operating system's codes for these errors. */
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
  return snapshots.map((snapshot) => {
    const all = (sofar = { ...sofar, ...snapshot.files });
    const why = (lacking = { ...lacking, ...snapshot.failed });
    // A file that could not be read did exist.
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
      snapshot.atMs,
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

module.exports = { readHostFile, recordedSnapshots };
