'use strict';

const { COMMANDS } = require('../snippets/tune');
const { makeTune } = require('./shell/tune');
const { openerOf, senderOf } = require('./shell/port');
const { addressOf } = require('./shell/address');
const { connectTo } = require('./shell/connect');
const { reach } = require('./shell/reach');
const { terminalOn, progressOn } = require('./shell/terminal');
const { defaultHome } = require('./shell/journal-home');
const { findState } = require('./shell/state');
const { isOldNode } = require('./shell/supported');
const { TuneError } = require('./base/pure/errors');

/**
 * The same functions with the same answers in a Node.js program.
 * @param {any} connection a connected MongoClient, or a service provider of mongosh; in a mongosh
 *   script also its `globalThis`, which then gets `tune`;
 *   null: none, for what needs none, such as tune.fleet()
 * @param {{ home?: string, signal?: AbortSignal }} [options] `home`: folder for the journal;
 *   `signal`: does what Ctrl-C does in the shell
 * @returns {import('./shell/tune').Tune}
 * @throws {TuneError} TUNE-40009 on a Node.js that is too old
 */
function tune(connection, { home = defaultHome(), signal = new AbortController().signal } = {}) {
  if (findState(connection)) return require('./shell/install').install(connection, COMMANDS);
  if (isOldNode(connection))
    throw new TuneError('TUNE-40009', `This is Node.js ${process.versions.node}.`, {
      value: process.versions.node,
    });
  return makeTune(COMMANDS, {
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
    home,
    terminal: terminalOn(process.stdout, process.stdin),
    progress: () => progressOn(process.stderr),
    guard: (job) => job.run(signal),
  });
}

const NOT_CONNECTED = () => new TuneError('TUNE-20001', 'There is no connection to a server.');

module.exports = { tune };
