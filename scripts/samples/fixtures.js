'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { observationOf } = require('../../lib/recording/pure/demo');

/**
 * What real commands saw and answered, kept in test/samples as JSON: either an observation, of
 * which advice and status are made anew, or the data of an answer, of which its text is made anew.
 */

/**
 * @import { Judgeable } from '../../lib/observe/types'
 * @import { Columns, Kept } from '../../lib/recording/pure/demo'
 * @import { Sample } from '../../lib/server/pure/sample'
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

/** @param {Judgeable} observation @returns {Kept} */
const keptOf = ({ window, facts, notes = [], machine = null }) => ({
  facts,
  notes,
  machine,
  samples: columnsOf(window.samples),
});

/** @param {string} _key @param {any} value */
const revive = (_key, value) =>
  typeof value?.[DATE] === 'string' && Object.keys(value).length === 1
    ? new Date(value[DATE])
    : value;

module.exports = { fixtureNames, readFixture, writeFixture, keptOf, observationOf };
