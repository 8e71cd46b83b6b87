'use strict';

const { show } = require('../base/pure/options');
const { TuneError } = require('../base/pure/errors');

/**
 * What was given to a command of a split: `tune.split.cutover({ confirm: true })` leaves out the
 * id, as tune.undo does. Anything else in its place is no split, and must not be looked for on the
 * server.
 * @param {string} name of the command
 * @param {unknown} id
 * @param {unknown} [options]
 * @returns {{ id: string | undefined, given: any }}
 * @throws {TuneError} TUNE-10002
 */
function readArguments(name, id, options) {
  if (id === undefined || id === null) return { id: undefined, given: options };
  if (typeof id === 'string') return { id, given: options };
  if (typeof id === 'object' && !Array.isArray(id) && options === undefined)
    return { id: undefined, given: id };
  throw new TuneError(
    'TUNE-10002',
    `${name}: the id must be one that tune.split.status() shows, not ${show(id)}.`,
    { value: id, allowed: 'an id of tune.split.status()' },
  );
}

module.exports = { readArguments };
