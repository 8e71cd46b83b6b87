'use strict';

const { makeWindow } = require('../../server/pure/window');

/**
 * @import { Judgeable } from '../../observe/types'
 * @import { Sample } from '../../server/pure/sample'
 * @import { Facts } from '../../server/pure/types'
 */

/**
 * An observation in few bytes: a counter's name once, then a value for each sample.
 * @typedef {{
 *   atMs: number[], uptimeMs: (number | null)[], counters: Record<string, (number | null)[]>
 * }} Columns
 * @typedef {{ samples: Columns, facts: Facts, notes: string[], machine?: any }} Kept
 */

/** @param {Columns} columns @returns {Sample[]} */
const samplesOf = ({ atMs, uptimeMs, counters }) =>
  atMs.map((at, i) => ({
    atMs: at,
    uptimeMs: uptimeMs[i],
    counters: Object.fromEntries(
      Object.entries(counters).flatMap(([name, values]) =>
        values[i] === null ? [] : [[name, /** @type {number} */ (values[i])]],
      ),
    ),
  }));

/** @param {Kept} kept @returns {Judgeable} */
const observationOf = ({ samples, facts, notes, machine }) => ({
  window: makeWindow(samplesOf(samples)),
  facts,
  notes,
  machine,
});

/**
 * The bundled recording: ten seconds of a real MongoDB 6.0.5 with a cache of 256 MB under writes, which
 * was made for it. Its host is a name that no server has, so an advice on it can be applied to none.
 * @returns {Judgeable}
 */
const demoObservation = () => observationOf(/** @type {any} */ (require('./demo-recording.json')));

module.exports = { observationOf, demoObservation };
