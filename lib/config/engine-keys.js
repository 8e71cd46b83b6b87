'use strict';

const { releases, keys } = require('./engine-keys.json');
const { parseVersion, compareVersions } = require('../base/pure/version');
const { findLater, laterNames, isLaterCategory } = require('./engine-keys-later');

/**
 * Which keys a server's WiredTiger knows, at run time and at start; scripts/engine-keys.js makes
 * the table. Within a release line some keys came with a patch release: between two known releases
 * that differ it is uncertain.
 * @typedef {'runtime' | 'start'} When
 * @typedef {{
 *   type: string, min?: string, max?: string, default?: string, runtime: string, start: string,
 *   choices?: Record<string, string>
 * }} Variant
 * @typedef {{
 *   type: string, min: string | null, max: string | null, choices: string[] | null,
 *   certain: boolean
 * }} Key `certain`: false where only some releases of this server's line have it
 * @typedef {{ find(key: string): Key | null, names: readonly string[], beyond: boolean }} KeyTable
 *   `beyond`: the server is newer
 *   than the table, so that it may know keys that the table does not
 */

const TABLE = /** @type {Record<string, Variant[]>} */ (/** @type {unknown} */ (keys));
/** From here on the table holds a development state, not a release. */
const FIRST_UNCERTAIN = '8.2.0';

/**
 * Made once for each version asked for; a check asks for the same again and again.
 * @type {Map<string, KeyTable>}
 */
const MADE = new Map();
const MAX_MADE = 32;

/**
 * @param {string} version of the server @param {When} when
 * @returns {KeyTable}
 */
function keyTable(version, when) {
  const name = `${when} ${version}`;
  const known = MADE.get(name);
  if (known !== undefined) return known;
  if (MADE.size >= MAX_MADE) MADE.clear();
  const made = makeTable(version, when);
  MADE.set(name, made);
  return made;
}

/** @param {string} version @param {When} when @returns {KeyTable} */
function makeTable(version, when) {
  const columns = columnsFor(version);
  const has = (/** @type {string} */ spans) => columns.map((column) => inSpans(column, spans));
  const find = once((key) => {
    const variants = TABLE[key].filter((variant) => has(variant[when]).includes(true));
    if (variants.length === 0) return null;
    const everywhere = columns.every((column) =>
      variants.some((variant) => inSpans(column, variant[when])),
    );
    return merge(variants, has, everywhere && variants.length === 1);
  });
  return {
    names: [
      ...Object.keys(TABLE).filter((key) =>
        TABLE[key].some((variant) => has(variant[when]).includes(true)),
      ),
      ...laterNames(version),
    ],
    beyond: isBeyond(version),
    find: (key) => find(key) ?? findLater(key, version),
  };
}

/**
 * A patch release brings keys, too: what is newer than the last known one of its line is uncertain.
 * @param {string} version
 */
function isBeyond(version) {
  const [major, minor] = parseVersion(version);
  const newest = releases.findLast((release) => sameLine(release, major, minor));
  return (
    compareVersions(version, FIRST_UNCERTAIN) >= 0 ||
    (newest !== undefined && compareVersions(version, newest) > 0)
  );
}

/**
 * Of the keys there are: what people mistype is without end.
 * @param {(key: string) => Key | null} find
 * @returns {(key: string) => Key | null}
 */
function once(find) {
  /** @type {Map<string, Key | null>} */
  const found = new Map();
  return (key) => {
    if (!Object.hasOwn(TABLE, key)) return null;
    if (!found.has(key)) found.set(key, find(key));
    return found.get(key) ?? null;
  };
}

/**
 * The known releases on both sides of a version, in its own line where there are any.
 * @param {string} version
 * @returns {number[]}
 */
function columnsFor(version) {
  const [major, minor] = parseVersion(version);
  const known = releases.map((release, column) => ({
    release,
    column,
    ours: sameLine(release, major, minor),
  }));
  const below = known.filter(({ release }) => compareVersions(release, version) <= 0);
  const lower = below.findLast(({ ours }) => ours) ?? below.at(-1) ?? known[0];
  const upper = known.find(({ release, ours }) => ours && compareVersions(release, version) > 0);
  return [
    lower.column,
    ...(lower.ours && lower.release !== version && upper ? [upper.column] : []),
  ];
}

/** @param {string} release @param {number} major @param {number} minor */
function sameLine(release, major, minor) {
  const line = parseVersion(release);
  return line[0] === major && line[1] === minor;
}

/**
 * @param {readonly Variant[]} variants
 * @param {(spans: string) => boolean[]} has
 * @param {boolean} certain
 * @returns {Key}
 */
function merge(variants, has, certain) {
  const [{ type, min = null, max = null, choices }] = variants.slice(-1);
  return {
    type,
    min,
    max,
    choices: choices
      ? Object.keys(choices).filter((name) => has(choices[name]).includes(true))
      : null,
    certain,
  };
}

/** @param {number} column @param {string} spans `0-2,5` */
const inSpans = (column, spans) =>
  spans.split(',').some((span) => {
    const [from, to = from] = span.split('-');
    return span !== '' && column >= Number(from) && column <= Number(to);
  });

/**
 * @param {string} key
 * @returns {boolean} whether any release takes it for a group of keys, not a value
 */
const isCategory = (key) =>
  isLaterCategory(key) ||
  (Object.hasOwn(TABLE, key) && TABLE[key].some(({ type }) => type === 'category'));

const FIRST_RELEASE = releases[0];
const LAST_RELEASE = releases[releases.length - 1];

/** @param {string} version @returns {boolean} whether a release of its line is in the table */
function knowsLine(version) {
  const [major, minor] = parseVersion(version);
  return releases.some((release) => sameLine(release, major, minor));
}

module.exports = { keyTable, isCategory, knowsLine, FIRST_RELEASE, LAST_RELEASE };
