'use strict';

const { TuneError } = require('../base/pure/errors');
const { show } = require('../base/pure/options');

/**
 * Reads the first argument of a command that changes settings: a change, or an advice that has one.
 * @param {string} command `tune.apply`
 * @param {unknown} what
 * @returns {{ change: any, host: string | null, warnings: string[] }} `host`: whose advice it is
 * @throws {TuneError} TUNE-10002, TUNE-10004, TUNE-30008
 */
function requestedChange(command, what) {
  if (what === undefined)
    throw new TuneError('TUNE-10004', `${command} needs a change, or an advice of tune.advise().`, {
      allowed: 'a change or an advice',
    });
  if (what === null || typeof what !== 'object' || Array.isArray(what)) {
    throw new TuneError(
      'TUNE-10002',
      `${command}: the change must be an object such as { cacheSizeGB: 4 }, not ${show(what)}.`,
      { value: what, allowed: 'a change or an advice' },
    );
  }
  if (!('change' in what)) return { change: what, host: null, warnings: [] };
  const { change, host = null } = /** @type {{ change: unknown, host?: string | null }} */ (what);
  if (change === null || change === undefined)
    throw new TuneError('TUNE-30008', 'This advice is to change nothing.', {
      value: null,
      allowed: 'a change or an advice that has one',
    });
  return { change, host, warnings: host === null ? [NO_HOST] : [] };
}

const NO_HOST =
  'The advice does not say which server it is of, so nothing proves that it is of this one.';

/** @param {string | null} advised @param {string | null} here @throws {TuneError} TUNE-20010 */
function checkHost(advised, here) {
  if (advised === null || here === null || advised === here) return;
  throw new TuneError('TUNE-20010', `The advice is for ${advised}, but this is ${here}.`, {
    value: advised,
    allowed: here,
  });
}

module.exports = { requestedChange, checkHost };
