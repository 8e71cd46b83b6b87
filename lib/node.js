'use strict';

const path = require('node:path');
const { TuneError } = require('./base/pure/errors');
const { addressOf, connectTo } = require('./shell/member-connection');
const { defaultHome, findState, isOldNode } = require('./shell/mongosh');
const { openerOf, senderOf } = require('./shell/port');
const { listCommands } = require('./shell/registry');
const { terminalOn, progressOn } = require('./shell/terminal');
const { makeTune } = require('./shell/tune');
const { reach } = require('./shell/uri-connection');

/**
 * @import { Tune } from './shell/tune'
 */

/**
 * The same functions with the same answers in a Node.js program.
 * @param {any} connection a connected MongoClient, or a service provider of mongosh; in a mongosh
 *   script also its `globalThis`, which then gets `tune`;
 *   null: none, for what needs none, such as tune.fleet()
 * @param {{ home?: string, signal?: AbortSignal }} [options] `home`: folder for the journal;
 *   `signal`: does what Ctrl-C does in the shell
 * @returns {Tune}
 * @throws {TuneError} TUNE-40009 on a Node.js that is too old
 */
function tune(connection, { home = defaultHome(), signal = new AbortController().signal } = {}) {
  if (findState(connection)) return require('./shell/install').install(connection);
  if (isOldNode(connection))
    throw new TuneError('TUNE-40009', `This is Node.js ${process.versions.node}.`, {
      value: process.versions.node,
    });
  return makeTune(listCommands(), {
    send:
      connection === null
        ? async () => {
            throw NOT_CONNECTED();
          }
        : senderOf(connection),
    open: openerOf(() => connection),
    address: () => addressOf(connection),
    connect: (host) => connectTo(connection, host),
    reach: (uri, ms) =>
      reach(typeof connection?.getNewConnection === 'function' ? connection : null, uri, ms),
    home: path.resolve(home),
    terminal: terminalOn(process.stdout, process.stdin),
    progress: () => progressOn(process.stderr),
    guard: (job) => job.run(signal),
  });
}

const NOT_CONNECTED = () => new TuneError('TUNE-20001', 'There is no connection to a server.');

module.exports = { tune };
