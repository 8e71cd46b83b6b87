'use strict';

const { TuneError } = require('../base/pure/errors');

/**
 * A line with a scheme: a bare word mongosh would take for a database of the server on this
 * machine.
 */
const SHAPE = /^mongodb(?:\+srv)?:\/\/\S[^\r\n]*$/;
/** What somebody means as user and password: all up to the last "@" in front of the options. */
const MEANT = /^[\w+]+:\/\/((?:(?!\?\w+=)[^])*)@/;

/** @param {string} text @returns {boolean} */
const isConnectionString = (text) => SHAPE.test(text);

/**
 * The driver would take what stands between "@" and "/" of a password for the host, look that up,
 * and name it in its error.
 * @param {string} uri never to be shown
 * @throws {TuneError} TUNE-20011
 */
function refuseBare(uri) {
  if (!/[/?]/.test(MEANT.exec(uri)?.[1] ?? '')) return;
  const why = 'user or password are not encoded: "@" is %40, "/" %2F, "?" %3F';
  throw new TuneError('TUNE-20011', `The server cannot be reached: ${why}.`, { why });
}

module.exports = { isConnectionString, refuseBare };
