'use strict';

const { releases, keys } = require('./engine-keys.json');
const { parseVersion, compareVersions } = require('../base/pure/version');

/**
 * Knows the keys of a server's WiredTiger, at run time and at start; scripts/engine-keys.js makes
 * the table. Within a release line some keys came with a patch release: a key that only one of the
 * two nearest known releases has is uncertain.
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
 *   `beyond`: the server is newer than the table, so that it may know keys that the table does not
 */

const TABLE = /** @type {Record<string, Variant[]>} */ (/** @type {unknown} */ (keys));
/** From here on the table holds a development state, not a release. */
const FIRST_UNCERTAIN = '8.2.0';

/**
 * Each table is made once for a version and a moment; a check needs the same one many times.
 * @type {Map<string, KeyTable>}
 */
const MADE = new Map();
const MAX_MADE = 32;

/**
 * @param {string} version the server's version
 * @param {When} when
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
 * Whether a release is newer than the last known one of its line: a patch release may bring keys,
 * too.
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
 * Remembers the keys that exist; keys that people mistype are without end, and are not kept.
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
 * Finds the known releases on both sides of a version, in its own line where it has any.
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
 * @returns {boolean} whether any release takes the key for a group of keys
 */
const isCategory = (key) =>
  isLaterCategory(key) ||
  (Object.hasOwn(TABLE, key) && TABLE[key].some(({ type }) => type === 'category'));

const FIRST_RELEASE = releases[0];
const LAST_RELEASE = releases[releases.length - 1];

/** @param {string} version @returns {boolean} whether the table has a release of its line */
function knowsLine(version) {
  const [major, minor] = parseVersion(version);
  return releases.some((release) => sameLine(release, major, minor));
}

/**
 * These keys came after the releases of engine-keys.json, and are kept by hand. Sources: changelogs
 * of 8.0.16 (WT-15210, WT-15563) and 8.0.30 (WT-16612, WT-16453);
 * test/suite/test_cache_evict_config01.py and dist/api_data.py of WiredTiger's development branch,
 * which moved the controls into `eviction`. All can be set at run time and at start.
 * @typedef {{ from: string, certainFrom: string | null, until: string | null }} Span `from`: the first
 *   release that may know it; `certainFrom`: that knows it for certain; `until`: the first that does
 *   not belong to this span
 * @typedef {{ type: string, min?: string, max?: string, spans: readonly Span[] }} Later
 */

/** 8.0 has the controls since a patch that the changelog names; the patch of 8.2 is not known. */
const CONTROLS = (/** @type {string} */ certainFrom) => [
  { from: '8.0.11', certainFrom, until: '8.1.0' },
  { from: '8.2.0', certainFrom: null, until: null },
];
const SINCE_9 = Object.freeze([{ from: '8.3.0', certainFrom: null, until: null }]);
const SINCE_8_2 = Object.freeze([{ from: '8.2.0', certainFrom: null, until: null }]);

const LATER = Object.freeze(
  /** @type {Record<string, Later>} */ ({
    cache_eviction_controls: { type: 'category', spans: CONTROLS('8.0.16') },
    'cache_eviction_controls.incremental_app_eviction': {
      type: 'boolean',
      spans: CONTROLS('8.0.16'),
    },
    'cache_eviction_controls.scrub_evict_under_target_limit': {
      type: 'boolean',
      spans: CONTROLS('8.0.16'),
    },
    'cache_eviction_controls.app_eviction_min_cache_fill_ratio': {
      type: 'int',
      min: '0',
      max: '50',
      spans: CONTROLS('8.0.30'),
    },
    'cache_eviction_controls.cache_tolerance_for_app_eviction': {
      type: 'int',
      min: '0',
      max: '100',
      spans: CONTROLS('8.0.30'),
    },
    'cache_eviction_controls.skip_update_obsolete_check': {
      type: 'boolean',
      spans: CONTROLS('8.0.30'),
    },
    'eviction.app_eviction_min_cache_fill_ratio': {
      type: 'int',
      min: '0',
      max: '50',
      spans: SINCE_9,
    },
    'eviction.cache_tolerance_for_app_eviction': {
      type: 'int',
      min: '0',
      max: '100',
      spans: SINCE_9,
    },
    'eviction.incremental_app_eviction': { type: 'boolean', spans: SINCE_9 },
    'eviction.prefer_scrub_eviction': { type: 'boolean', spans: SINCE_9 },
    'eviction.skip_update_obsolete_check': { type: 'boolean', spans: SINCE_9 },
    'checkpoint_cleanup.file_wait_ms': { type: 'int', min: '0', spans: SINCE_8_2 },
  }),
);

/** @param {Later} later @param {string} version @returns {Span | undefined} */
const spanOf = ({ spans }, version) =>
  spans.find(
    ({ from, until }) =>
      compareVersions(version, from) >= 0 &&
      (until === null || compareVersions(version, until) < 0),
  );

/** @param {string} key @param {string} version @returns {Key | null} */
function findLater(key, version) {
  if (!Object.hasOwn(LATER, key)) return null;
  const later = LATER[key];
  const span = spanOf(later, version);
  if (span === undefined) return null;
  return {
    type: later.type,
    min: later.min ?? null,
    max: later.max ?? null,
    choices: null,
    certain: span.certainFrom !== null && compareVersions(version, span.certainFrom) >= 0,
  };
}

/** @param {string} version @returns {string[]} the keys that this release may know */
const laterNames = (version) =>
  Object.keys(LATER).filter((key) => spanOf(LATER[key], version) !== undefined);

/** @param {string} key @returns {boolean} */
const isLaterCategory = (key) => Object.hasOwn(LATER, key) && LATER[key].type === 'category';

module.exports = { keyTable, isCategory, knowsLine, FIRST_RELEASE, LAST_RELEASE };
