'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { makeWindow } = require('../../lib/server/pure/window');

/**
 * @import { Sample } from '../../lib/server/pure/sample'
 * @import { Facts } from '../../lib/server/pure/types'
 * @import { Judgeable } from '../../lib/observe/types'
 */

/**
 * What real commands saw and answered, kept in test/samples as JSON: either an observation, of
 * which advice and status are made anew, or the data of an answer, of which its text is made anew.
 * Samples are kept as columns: a counter's name once, then a value for each sample.
 * @typedef {{ atMs: number[], uptimeMs: (number | null)[], counters: Record<string, (number | null)[]> }} Columns
 * @typedef {{ samples: Columns, facts: Facts, notes: string[], machine?: any, settings?: any }} Kept
 */

const FOLDER = path.join(__dirname, '..', '..', 'test', 'samples');
const DATE = '$date';

/** @param {string} name */
const fileOf = (name) => path.join(FOLDER, `${name}.json`);

/** @returns {string[]} */
const fixtureNames = () =>
  fs
    .readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();

/** @param {string} name @returns {any} */
const readFixture = (name) => JSON.parse(fs.readFileSync(fileOf(name), 'utf8'), revive);

/**
 * A list of numbers stays on one line: a fixture is read in a diff.
 * @param {string} name
 * @param {unknown} value
 */
function writeFixture(name, value) {
  fs.mkdirSync(FOLDER, { recursive: true });
  const text = JSON.stringify(withDates(value), null, 1).replace(
    /\[\s+((?:-?[\d.e+-]+|null)(?:,\s+(?:-?[\d.e+-]+|null))*)\s+\]/g,
    (_, numbers) => `[${numbers.replace(/\s+/g, '')}]`,
  );
  fs.writeFileSync(fileOf(name), `${text}\n`);
}

/** @param {any} value @returns {any} */
function withDates(value) {
  if (value instanceof Date) return { [DATE]: value.toISOString() };
  if (Array.isArray(value)) return value.map(withDates);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withDates(one)]));
}

/** @param {string} _key @param {any} value */
const revive = (_key, value) =>
  typeof value?.[DATE] === 'string' && Object.keys(value).length === 1
    ? new Date(value[DATE])
    : value;

/** @param {readonly Sample[]} samples @returns {Columns} */
function columnsOf(samples) {
  const names = [...new Set(samples.flatMap(({ counters }) => Object.keys(counters)))];
  return {
    atMs: samples.map(({ atMs }) => atMs),
    uptimeMs: samples.map(({ uptimeMs }) => uptimeMs),
    counters: Object.fromEntries(
      names.map((name) => [
        name,
        samples.map(({ counters }) => /** @type {any} */ (counters)[name] ?? null),
      ]),
    ),
  };
}

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

/** @param {Judgeable} observation @returns {Kept} */
const keptOf = ({ window, facts, notes = [], machine = null }) => ({
  facts,
  notes,
  machine,
  samples: columnsOf(window.samples),
});

/** @param {Kept} kept @returns {Judgeable} */
const observationOf = ({ samples, facts, notes, machine }) => ({
  window: makeWindow(samplesOf(samples)),
  facts,
  notes,
  machine,
});

module.exports = { fixtureNames, readFixture, writeFixture, keptOf, observationOf };
