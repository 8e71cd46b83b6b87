'use strict';

const fs = require('node:fs/promises');
const path = require('node:path');
const { DEFAULT_PORT } = require('../server/pure/facts');
const { TuneError } = require('../base/pure/errors');
const { expandHome } = require('../base/named-files');
const { byteBlocks, endOfLine } = require('./byte-blocks');
const { idOf, timeOf, parseLine } = require('./read-log');
const { IDENTITY } = require('./pure/log-events');
const { askServer, identityOf } = require('../host/ask-server');
const { filesUnder, COMMANDS } = require('../host/root-files');
const { findPlace } = require('../host/same-machine');

/**
 * @import { Context } from '../base/types'
 */

/**
 * @typedef {{ file: string, atMs: number, host: string | null }} LogFile `atMs`: of its first line
 */

/** The first lines of a log name its server, also behind a rotation. */
const HEAD_LINES = 2000;
/** One server has at most this many files; a folder of a busy one has a file for each day. */
const MAX_FILES = 1000;

/**
 * Logs, with the rotated ones beside them, by server and in the order of time.
 * @param {readonly string[]} given files or folders
 * @param {{ fromMs: number, toMs: number }} range
 * @param {AbortSignal} signal
 * @returns {Promise<{ logsByServer: LogFile[][], none: string[] }>} `none`: files that are no such logs
 * @throws {TuneError} TUNE-40002
 */
async function findLogs(given, range, signal) {
  const named = [];
  for (const file of given) named.push(...(await filesFor(path.resolve(expandHome(file)))));
  const files = [...new Set(named)].slice(0, MAX_FILES);
  const logs = [];
  const none = [];
  for (const file of files) {
    const head = await headOf(file, signal);
    if (Number.isNaN(head.atMs)) none.push(file);
    else logs.push(head);
  }
  const logsByServer = byServer(logs).map((group) => inTime(group, range));
  return { logsByServer: logsByServer.filter((group) => group.length > 0), none };
}

/**
 * A file with those that it was rotated to, or all of a folder.
 * @param {string} place
 * @returns {Promise<string[]>}
 */
async function filesFor(place) {
  try {
    const kind = await fs.stat(place);
    if (!kind.isDirectory()) {
      const folder = path.dirname(place);
      const rotated = (await fs.readdir(folder).catch(() => /** @type {string[]} */ ([])))
        .filter((name) => name.startsWith(`${path.basename(place)}.`))
        .map((name) => path.join(folder, name));
      return [place, ...(await onlyFiles(rotated))];
    }
    const names = (await fs.readdir(place)).map((name) => path.join(place, name));
    return await onlyFiles(names);
  } catch (cause) {
    throw new TuneError(
      'TUNE-40002',
      `${place} cannot be read: ${/** @type {Error} */ (cause).message}.`,
      { value: place, cause },
    );
  }
}

/** @param {readonly string[]} files @returns {Promise<string[]>} */
async function onlyFiles(files) {
  const kinds = await Promise.all(files.map((file) => fs.stat(file).catch(() => null)));
  return files.filter((_, i) => kinds[i]?.isFile());
}

/**
 * Finds when a log begins, and which server wrote it.
 * @param {string} file
 * @param {AbortSignal} signal
 * @returns {Promise<LogFile>} `atMs` NaN: it has no line of such a log
 */
async function headOf(file, signal) {
  const head = { file, atMs: NaN, host: /** @type {string | null} */ (null) };
  let lines = 0;
  const how = { maxRest: 2 ** 18, signal, damaged: () => {} };
  for await (const { bytes } of byteBlocks(file, how))
    for (let at = 0; at < bytes.length; lines++) {
      const end = endOfLine(bytes, at);
      learn(head, bytes, at, end);
      at = end + 1;
      if (lines > HEAD_LINES || head.host !== null) return head;
    }
  return head;
}

/** @param {LogFile} head changed @param {Buffer} bytes @param {number} at @param {number} end */
function learn(head, bytes, at, end) {
  const id = idOf(bytes, at, end);
  if (id < 0) return;
  if (Number.isNaN(head.atMs)) head.atMs = timeOf(bytes, at);
  if (id !== IDENTITY.STARTING && id !== IDENTITY.DETAILS) return;
  const attr = parseLine(bytes.toString('utf8', at, end))?.attr;
  if (typeof attr?.host === 'string')
    head.host = `${attr.host}:${Number(attr.port) || DEFAULT_PORT}`;
}

/**
 * Files that do not say whose they are belong to the one server there is, or to one of their own.
 * @param {readonly LogFile[]} logs
 * @returns {LogFile[][]}
 */
function byServer(logs) {
  /** @type {Map<string | null, LogFile[]>} */
  const logsByServer = new Map();
  const known = new Set(logs.flatMap(({ host }) => (host === null ? [] : [host])));
  const [only] = known.size === 1 ? known : [null];
  for (const log of logs) {
    const host = log.host ?? only;
    logsByServer.set(host, [...(logsByServer.get(host) ?? []), log]);
  }
  return [...logsByServer.values()];
}

/**
 * Sorts files by time, without those that ended before the wanted time or begin after it.
 * @param {readonly LogFile[]} group
 * @param {{ fromMs: number, toMs: number }} range
 */
function inTime(group, { fromMs, toMs }) {
  const sorted = group.toSorted((a, b) => a.atMs - b.atMs);
  return sorted.filter(
    ({ atMs }, i) => atMs <= toMs && (i === sorted.length - 1 || sorted[i + 1].atMs >= fromMs),
  );
}

/** @typedef {{ ftdc: string[], log: string[], kernelLog: string[], notes: string[] }} Found */

/** Distributions keep the kernel's messages as text in these files. */
const KERNEL_LOGS = Object.freeze(['/var/log/kern.log', '/var/log/messages', '/var/log/syslog']);

/**
 * The files of the server that this shell is connected to, where it runs on this machine.
 * @param {Context} ctx
 * @returns {Promise<Found>}
 * @throws {TuneError} TUNE-2xxxx where the server cannot be asked, TUNE-40004 where its files are on
 *   another machine
 */
async function liveSources(ctx) {
  const answers = await askServer(ctx.port, ['hostInfo', 'options', 'you']);
  const server = identityOf(answers);
  const place = await findPlace(filesUnder(['/'], COMMANDS), server, process.platform);
  if (place.kind !== 'here')
    throw new TuneError(
      'TUNE-40004',
      `tune.incident: the files of ${server.host ?? 'this server'} are not on this machine. ` +
        `${place.say} Run it there, or give "ftdc" and "log".`,
      { value: server.host },
    );
  const options = answers.options?.parsed ?? {};
  const kernelLog = (await readableFiles(KERNEL_LOGS)).slice(0, 1);
  const log = logOf(options);
  return {
    ftdc: [options.storage?.dbPath ?? server.dbPath ?? '/data/db'],
    log,
    kernelLog,
    notes: notesOf(log, kernelLog),
  };
}

/** @param {any} options as the server was started @returns {string[]} */
const logOf = ({ systemLog }) =>
  systemLog?.destination === 'file' && systemLog.path ? [systemLog.path] : [];

/** @param {readonly string[]} log @param {readonly string[]} kernelLog */
const notesOf = (log, kernelLog) => [
  ...(log.length === 0
    ? [
        'mongod does not write its log to a file. If something else keeps it, pass it: { log: "<file>" }.',
      ]
    : []),
  ...(kernelLog.length === 0
    ? [
        'No kernel log was found. Pass one, such as the output of dmesg -T: { kernelLog: "<file>" }.',
      ]
    : []),
];

/** @param {readonly string[]} files @returns {Promise<string[]>} */
async function readableFiles(files) {
  const can = await Promise.all(
    files.map((file) =>
      fs.access(file, fs.constants.R_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return files.filter((_, i) => can[i]);
}

module.exports = { findLogs, liveSources };
