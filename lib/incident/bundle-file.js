'use strict';

const fs = require('node:fs/promises');
const path = require('node:path');
const { MiB } = require('../base/pure/units');
const { TuneError } = require('../base/pure/errors');
const { expandHome } = require('../base/named-files');
const { parseBundle } = require('./pure/parse-bundle');

/**
 * @import { FeatureRows, RecordedMember } from './types'
 * @import { BundledMember } from './pure/parse-bundle'
 * @import { ReadIncident } from './read-incident'
 */

/** A bundle has a megabyte or two: a larger file was not made by tune. */
const MAX_BYTES = 64 * MiB;

/**
 * @param {string} name
 * @returns {Promise<ReadIncident>}
 * @throws {TuneError} TUNE-40002, TUNE-40004
 */
async function readBundle(name) {
  const file = path.resolve(expandHome(name));
  const parsed = parseBundle(jsonIn(file, await textOf(file)));
  if (parsed === null) throw noBundle(file);
  const { left, members, events, sources, ...rest } = parsed;
  return {
    ...rest,
    events,
    sources,
    dropped: 0,
    notes:
      left === 0 ? [] : [`${left} events of the bundle are not as tune writes them: left out.`],
    members: members.map((member) => ({ member: recordedOf(member), place: file })),
  };
}

/** @param {string} file */
async function textOf(file) {
  try {
    const kind = await fs.stat(file);
    if (!kind.isFile()) throw new Error('it is not a file');
    if (kind.size > MAX_BYTES) throw new Error(`it has ${kind.size} bytes, a bundle has fewer`);
    return await fs.readFile(file, 'utf8');
  } catch (cause) {
    throw new TuneError(
      'TUNE-40002',
      `${file} cannot be read: ${/** @type {Error} */ (cause).message}.`,
      { value: file, cause },
    );
  }
}

/** @param {string} file @param {string} text @returns {unknown} */
function jsonIn(file, text) {
  try {
    return JSON.parse(text);
  } catch (_noJson) {
    throw noBundle(file);
  }
}

/** @param {string} file */
const noBundle = (file) =>
  new TuneError(
    'TUNE-40004',
    `${file} is no bundle of tune.incident.bundle(), or of a later release of tune.`,
    { value: file },
  );

/** @param {BundledMember} member @returns {RecordedMember} */
const recordedOf = ({ chart, ...member }) => ({
  ...member,
  rows: NO_ROWS,
  breaks: [],
  chart: () => chart,
});

/** Its events are in the bundle already. @type {FeatureRows} */
const NO_ROWS = Object.freeze({ everyMs: 0, length: 0, atMs: new Float64Array(0), columns: {} });

module.exports = { readBundle };
