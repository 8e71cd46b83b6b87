'use strict';

const { TuneError } = require('../base/pure/errors');
const { show } = require('../base/pure/options');

const FEWEST = 2;
const MAX = 8;
const PLAUSIBLE = /^mongodb(\+srv)?:\/\/\S+$/;

/**
 * @param {string} command @param {unknown} given a list, or words
 * @returns {string[]}
 * @throws {TuneError} TUNE-10002, TUNE-10004
 */
function readUris(command, given) {
  const allowed = `a list of ${FEWEST} to ${MAX} connection strings`;
  if (given === undefined)
    throw new TuneError('TUNE-10004', `${command} needs ${allowed}.`, { allowed });
  const list = typeof given === 'string' ? given.trim().split(/\s+/) : given;
  if (!Array.isArray(list) || list.length < FEWEST || list.length > MAX)
    throw new TuneError(
      'TUNE-10002',
      `${command}: give ${allowed}, not ${Array.isArray(list) ? list.length : show(given)}.`,
      { allowed },
    );
  const wrong = list.findIndex((uri) => typeof uri !== 'string' || !PLAUSIBLE.test(uri));
  if (wrong !== -1)
    throw new TuneError(
      'TUNE-10002',
      `${command}: number ${wrong + 1} of them${shown(list[wrong])} is no connection string.`,
      { allowed: 'mongodb://host:port' },
    );
  return list;
}

/** A text that may hold a password is not shown. @param {unknown} wrong */
const shown = (wrong) =>
  typeof wrong === 'string' && wrong.includes('@') ? '' : ` (${show(wrong)})`;

/**
 * Two connection strings to one server would share one database.
 * @param {string} command
 * @param {(string | null)[]} hosts
 */
function checkDistinct(command, hosts) {
  const twice = hosts.find((host, i) => host !== null && hosts.indexOf(host) !== i);
  if (twice)
    throw new TuneError(
      'TUNE-10002',
      `${command}: two of the connection strings lead to ${twice}.`,
      { value: twice, allowed: 'a server once' },
    );
}

module.exports = { readUris, checkDistinct };
