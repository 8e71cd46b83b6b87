'use strict';

const { compareVersions } = require('../base/pure/version');

/**
 * @import { Key } from './engine-keys'
 */

/**
 * Keys that came after the releases of engine-keys.json, by hand. Sources: changelogs of 8.0.16
 * (WT-15210, WT-15563) and 8.0.30 (WT-16612, WT-16453); test/suite/test_cache_evict_config01.py and
 * dist/api_data.py of WiredTiger's development branch, which moved the controls into `eviction`. All
 * can be set at run time and at start.
 * @typedef {{ from: string, certainFrom: string | null, until: string | null }} Span `from`: the first
 *   release that may know it; `certainFrom`: that knows it for certain; `until`: the first that does
 *   not belong to this span
 * @typedef {{ type: string, min?: string, max?: string, spans: readonly Span[] }} Later
 */

/** 8.0 has them since a patch that the changelog names; on 8.2 the patch is not known. */
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

/** @param {string} version @returns {string[]} those that it may know */
const laterNames = (version) =>
  Object.keys(LATER).filter((key) => spanOf(LATER[key], version) !== undefined);

/** @param {string} key @returns {boolean} */
const isLaterCategory = (key) => Object.hasOwn(LATER, key) && LATER[key].type === 'category';

module.exports = { findLater, laterNames, isLaterCategory };
