'use strict';

const { TuneError } = require('../../base/pure/errors');
const { show } = require('../../base/pure/options');
const { attachedSeries } = require('../../series/chart-data');
const { KINDS, kindOf } = require('./html/kinds');

/**
 * @import { ChartData } from '../../series/chart-data'
 * @import { Kind } from './html/kinds'
 * @import { Item } from './html/report-page'
 */

/** So many stretches a page can hold in a megabyte, with the twenty tracks of a server. */
const BLOCKS = 7000;

/**
 * What a page is made of: answers of tune, or paths of recordings.
 * @param {string} command as it is typed
 * @param {unknown} given one, or several
 * @param {(path: string) => Promise<unknown>} readRecording
 * @returns {Promise<Item[]>}
 * @throws {TuneError} TUNE-10002 for what no page can be made of, TUNE-4xxxx for recordings that
 *   can not be read
 */
async function itemsOf(command, given, readRecording) {
  const list = Array.isArray(given) ? given : [given];
  if (list.length === 0) throw unknown(command, given);
  const values = [];
  for (const one of list)
    values.push(typeof one === 'string' && one !== '' ? await readRecording(one) : one);
  const kinds = values.map((value) => kindOf(value) ?? fail(unknown(command, value)));
  return values.map((value, i) => ({
    value,
    kind: kinds[i],
    drawn: drawnFrom(value, kinds[i], Math.floor(BLOCKS / values.length)),
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
 * @param {any} value
 * @param {Kind} kind
 * @param {number} max
 * @returns {ChartData | null}
 */
function drawnFrom(value, kind, max) {
  const drawn = attachedSeries(value)?.(max) ?? kind.draw?.(value) ?? null;
  return drawn === null || drawn.at.length === 0 ? null : drawn;
}

module.exports = { itemsOf };
