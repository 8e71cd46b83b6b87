'use strict';

const fs = require('node:fs/promises');
const { askServer, identityOf } = require('../host/ask-server');
const { filesUnder, COMMANDS } = require('../host/root-files');
const { findPlace } = require('../host/same-machine');
const { TuneError } = require('../base/pure/errors');

/**
 * @import { Context } from '../base/types'
 */

/**
 * @typedef {{ ftdc: string[], log: string[], kernelLog: string[], notes: string[] }} Found
 */

/** Where distributions keep the kernel's messages as text. */
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

module.exports = { liveSources };
