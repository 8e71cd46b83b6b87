'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { TuneError } = require('../../../errors');
const { show } = require('../../../options');
const { traceOf } = require('../../../model/trace');
const { KINDS, kindOf } = require('../../../render/html/kinds');
const { expandHome } = require('../expand-home');

/**
 * @typedef {import('../../../context').Context} Context
 * @typedef {import('../../../render/html/report-page').Item} Item
 */

/** So many stretches a page can hold in a megabyte, with the twenty tracks of a server. */
const STRETCHES = 7000;

/**
 * What a page is made of: answers of tune, or paths of recordings.
 * @param {Context} ctx
 * @param {string} command as it is typed
 * @param {unknown} given one, or several
 * @returns {Promise<Item[]>}
 * @throws {TuneError} TUNE-10002 for what no page can be made of, TUNE-4xxxx for recordings that
 *   can not be read
 */
async function itemsOf(ctx, command, given) {
  const list = Array.isArray(given) ? given : [given];
  if (list.length === 0) throw unknown(command, given);
  const values = [];
  for (const one of list)
    values.push(typeof one === 'string' && one !== '' ? await readRecording(ctx, one) : one);
  const kinds = values.map((value) => kindOf(value) ?? fail(unknown(command, value)));
  return values.map((value, i) => ({
    value,
    kind: kinds[i],
    drawn: drawnFrom(value, kinds[i], Math.floor(STRETCHES / values.length)),
  }));
}

/** @param {Error} error @returns {never} */
function fail(error) {
  throw error;
}

/** @param {string} command @param {unknown} value */
const unknown = (command, value) =>
  new TuneError(
    'TUNE-10002',
    `${command}: it is made of ${KINDS.map(({ name }) => name).join(', ')}, as tune answers ` +
      `them, or of the path of a recording; not of ${show(value)}.`,
    { value, allowed: KINDS.map(({ name }) => name) },
  );

/**
 * diagnostic.data is a folder, or files called metrics.…; all else was written by tune.record.
 * @param {Context} ctx
 * @param {string} name
 */
async function readRecording(ctx, name) {
  const isFtdc = /^metrics\./.test(path.basename(name)) || isFolder(expandHome(name));
  return isFtdc ? require('../../ftdc').ftdc(ctx, name) : require('../../replay').replay(ctx, name);
}

/** @param {string} name what can not be looked at is said by who reads it */
function isFolder(name) {
  try {
    return fs.statSync(name).isDirectory();
  } catch (_unknown) {
    return false;
  }
}

/**
 * @param {any} value
 * @param {import('../../../render/html/kinds').Kind} kind
 * @param {number} most
 * @returns {import('../../../model/drawn').Drawn | null}
 */
function drawnFrom(value, kind, most) {
  const drawn = traceOf(value)?.(most) ?? kind.draw?.(value) ?? null;
  return drawn === null || drawn.at.length === 0 ? null : drawn;
}

module.exports = { itemsOf };
