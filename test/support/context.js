'use strict';

const { temporaryFolder } = require('./cleanup');
const { isKnown } = require('../../lib/policy/pure/server-commands');
const { makePort, openerOf, senderOf } = require('../../lib/shell/port');
const { addressOf } = require('../../lib/shell/member-connection');
const { connectTo } = require('../../lib/shell/member-connection');
const { reach } = require('../../lib/shell/uri-connection');

/**
 * @import { MongoClient } from 'mongodb'
 * @import { Context } from '../../lib/base/types'
 */

/**
 * docs/server-commands.md promises to name all that is ever sent: a run of the suite holds it against
 * what is sent. Thrown beside the call too, since a command may do without an answer.
 */
const LISTED_ONLY = Object.freeze({
  check: (/** @type {Record<string, unknown>} */ spec) => {
    if (isKnown(spec)) return null;
    const error = new Error(`not in the list of commands: ${Object.keys(spec).join(', ')}`);
    setImmediate(() => {
      throw error;
    });
    throw error;
  },
  comment: () => undefined,
});

/**
 * A context as the shell makes it, over a driver's client: what a command gets as its first
 * argument.
 * @param {MongoClient | null} client null: there is no server, and nothing may be
 *   asked
 * @param {{ signal?: AbortSignal, home?: string }} [options]
 * @returns {Context & { lines: string[], progressed: (string | null)[]
 *   }} `lines`: what was written
 */
function contextOf(client, { signal = new AbortController().signal, home } = {}) {
  /** @type {string[]} */ const lines = [];
  /** @type {(string | null)[]} */ const progressed = [];
  return {
    port: makePort(
      client === null
        ? async () => {
            throw new Error('there is no server');
          }
        : senderOf(client),
      openerOf(() => client),
      LISTED_ONLY,
    ).port,
    signal,
    home: home ?? temporaryFolder('home').path,
    progress: (text) => progressed.push(text),
    lines,
    progressed,
    connection: async () => addressOf(/** @type {any} */ (client)),
    connect: async (host) => connectTo(client, host),
    reach: async (uri, ms) => reach(null, uri, ms),
    guarded: (send) => makePort(send, undefined, LISTED_ONLY).port,
    terminal: { isTTY: false, columns: 80, write: (text) => lines.push(text) },
  };
}

module.exports = { contextOf };
