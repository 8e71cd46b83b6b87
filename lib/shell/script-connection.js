'use strict';

const fs = require('node:fs');
const { TuneError } = require('../base/pure/errors');
const { notReached } = require('../base/server-errors');
const { isConnectionString, refuseBare } = require('./connection-string');
const { shellProvider } = require('./port');

/**
 * @import { State } from './state'
 */

/**
 * A script has the connection of its mongosh. With --nodb it makes one itself, for mongosh ends
 * with 1 when it cannot connect, which monitors take for a warning.
 * @param {any} globalObject the global object of mongosh
 * @param {State} state
 * @param {{ uri?: any, uriFile?: any, needed: boolean }} how never to be shown
 * @throws {TuneError} TUNE-10002 for what is no connection string, or where there is a connection
 *   already, TUNE-20001 where there is nothing to connect to, TUNE-20005 and TUNE-20011 where that
 *   fails, TUNE-40002
 */
async function connectScript(globalObject, state, { uri, uriFile, needed }) {
  const given = uri === undefined ? uriFile && 'TUNE_URI_FILE' : 'TUNE_URI';
  if (isConnected(state)) return refuseSecond(given);
  if (given)
    return connectTo(
      globalObject,
      uri ?? readAddress(uriFile),
      uri === undefined ? `TUNE_URI_FILE: ${uriFile} holds` : 'TUNE_URI is',
    );
  if (needed)
    throw new TuneError(
      'TUNE-20001',
      'The shell is not connected to a server, and neither TUNE_URI nor TUNE_URI_FILE says ' +
        'to which.',
    );
}

/**
 * @param {any} globalObject
 * @param {string} address never to be shown
 * @param {string} saying where it is from
 */
async function connectTo(globalObject, address, saying) {
  if (!isConnectionString(address))
    throw new TuneError(
      'TUNE-10002',
      `${saying} no connection string such as mongodb://host:27017.`,
      { allowed: 'mongodb://… or mongodb+srv://…' },
    );
  refuseBare(address);
  try {
    // As one types it: mongosh then closes it at its end.
    globalObject.db = await globalObject.connect(address);
  } catch (error) {
    throw notReached(error);
  }
}

/**
 * Without --nodb mongosh goes to the server on this machine by itself, and its answer would be
 * taken for that of the one named.
 * @param {string | undefined} given the variable that names one
 */
function refuseSecond(given) {
  if (given)
    throw new TuneError(
      'TUNE-10002',
      `${given} is for mongosh --nodb: this one has a connection of its own, which may lead ` +
        'to another server.',
      { allowed: '--nodb, or no TUNE_URI' },
    );
}

/** @param {State} state */
function isConnected(state) {
  try {
    return Boolean(shellProvider(state));
  } catch (error) {
    if (error instanceof TuneError) return false;
    throw error;
  }
}

/** @param {string} file */
function readAddress(file) {
  try {
    return fs.readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new TuneError(
      'TUNE-40002',
      `TUNE_URI_FILE: ${file} cannot be read ` +
        `(${/** @type {NodeJS.ErrnoException} */ (cause).code}).`,
      { value: file, cause },
    );
  }
}

module.exports = { connectScript };
