'use strict';

const { keyTable } = require('../engine-keys');
const { defaultsFor } = require('../config-layers');
const { checkKeys } = require('./check-keys');
const { checkOrders, nothing, unsafeIn } = require('./check-settings');
const { dangersIn } = require('./dangers');
const { error } = require('./problem');
const { parseEngineConfig, lookUp } = require('../engine-config');
const { compareVersions } = require('../../base/pure/version');
const { scan } = require('../scanner');

/**
 * @import { Raw } from '../thresholds'
 * @import { Problem } from './problem'
 * @import { Entry } from '../engine-config'
 */

/**
 * @typedef {{
 *   version: string, at: 'runtime' | 'start', base?: Raw,
 *   memoryBytes?: number | null
 * }} Place where the string is to be used; `base`: the settings it is added to, by default those of
 *   mongod; `memoryBytes`: the memory that the server may use, if that is known
 */

/**
 * @param {string} text a WiredTiger configuration string
 * @param {Place} place
 * @returns {Problem[]} in the order of the text
 */
function lintString(text, { version, at, base = defaultsFor(null), memoryBytes = null }) {
  const nul = text.indexOf('\0');
  if (nul !== -1)
    return [error(null, nul, 'mongod accepts no string with a NUL character', 'Remove it.')];
  const table = keyTable(version, at);
  const other = keyTable(version, at === 'runtime' ? 'start' : 'runtime');
  const problems = [
    ...nothing(text),
    ...checkKeys({ table, other, at, version, whole: text }),
    ...checkOrders({ text, version, at, base }),
    ...unsafeIn(text, base, memoryBytes),
    ...dangersIn(text, at),
    ...checkLevels(text, version),
    ...checkStatistics(text),
    ...checkBlockCache(text),
  ];
  return problems.sort((a, b) => (a.position ?? Infinity) - (b.position ?? Infinity));
}

/**
 * Checks the group block_cache. WiredTiger reads it only where it is switched on, and then late: it
 * must have a size and a kind (src/block_cache/block_cache.c; 6.0.5, which has no memory of the
 * kind nvram).
 */

const KINDS = Object.freeze(['dram', 'DRAM']);

/** @param {string} text @returns {Problem[]} */
function checkBlockCache(text) {
  const { entries } = parseEngineConfig(text);
  const find = (/** @type {string} */ key) => lookUp(entries, `block_cache.${key}`);
  const enabled = find('enabled');
  if (!enabled || enabled.number === 0) return [];
  const lacks = [
    ...(find('size')?.number ? [] : ['a size']),
    ...(KINDS.includes(find('type')?.value?.text ?? '') ? [] : ['type=dram']),
  ];
  return lacks.length === 0
    ? []
    : [
        error(
          'block_cache.enabled',
          enabled.key.position,
          `block_cache.enabled also needs ${lacks.join(' and ')}`,
          'Remove block_cache; mongod does not use it.',
        ),
      ];
}

/**
 * Checks the levels of messages: verbose=(evict:1). WiredTiger reads that list after all other
 * checks, at the last of each name (src/conn/conn_api.c, test/suite/test_verbose01.py,
 * test_verbose02.py; 6.0.5).
 */

/** Earlier releases take any level. */
const LEVELS_SINCE = '6.0.0';
/** Earlier releases have one level of debugging, later ones five. */
const FIVE_SINCE = '6.1.0';
/** WiredTiger calls it `hs`, and does not read its level. */
const NOT_CHECKED = 'history_store';

/** @param {string} text @param {string} version @returns {Problem[]} */
function checkLevels(text, version) {
  if (compareVersions(version, LEVELS_SINCE) < 0) return [];
  const max = compareVersions(version, FIVE_SINCE) < 0 ? 1 : 5;
  const items = lookUp(parseEngineConfig(text).entries, 'verbose')?.entries ?? [];
  return [...new Map(items.map((item) => [item.key.text, item])).values()].flatMap(
    ({ key, value, kind, number }) => {
      const isAlone = value === null || (value.text === '' && value.kind !== 'string');
      if (
        isAlone ||
        key.text === NOT_CHECKED ||
        (kind === 'number' && Number(number) >= 0 && Number(number) <= max)
      )
        return [];
      return [
        error(
          'verbose',
          value.position,
          `verbose does not accept ${JSON.stringify(value.text)} as the level of ${key.text}`,
          `Give a level from 0 to ${max}, or ${key.text} alone.`,
        ),
      ];
    },
  );
}

/**
 * Checks statistics and where they are logged. WiredTiger reads them after all other checks, at the
 * last of each name (src/conn/conn_stat.c; 6.0.5).
 */

const ONE_OF = Object.freeze(['all', 'fast', 'none']);
const SOURCES = /^"?(file|lsm):/;

/** @param {string} text @returns {Problem[]} */
function checkStatistics(text) {
  const { entries } = parseEngineConfig(text);
  return [
    ...chosen(lookUp(entries, 'statistics')),
    ...sources(lookUp(entries, 'statistics_log.sources')),
  ];
}

/**
 * Checks the chosen statistics: fast:0 and fast:false choose nothing, all other values do.
 * @param {Entry | undefined} list
 * @returns {Problem[]}
 */
function chosen(list) {
  if (!list) return [];
  const last = new Map((list.entries ?? []).map(({ key, number }) => [key.text, number]));
  const count = ONE_OF.filter((name) => last.has(name) && last.get(name) !== 0).length;
  return count < 2
    ? []
    : [
        error(
          'statistics',
          list.key.position,
          `statistics accepts only one of ${ONE_OF.join(', ')}`,
          'Keep one of them; mongod itself uses fast.',
        ),
      ];
}

/**
 * Checks the sources of statistics. WiredTiger compares the text from the beginning of each, so
 * that it accepts file:x, "file:x" and file:x:0.
 * @param {Entry | undefined} list
 * @returns {Problem[]}
 */
function sources(list) {
  const value = list?.value;
  if (value?.kind !== 'struct') return [];
  return scan(value.text, value.position)
    .pairs.map(({ key }) => key)
    .filter(({ position }) => !SOURCES.test(value.text.slice(position - value.position)))
    .map((key) =>
      error(
        'statistics_log.sources',
        key.position,
        `statistics_log.sources does not accept ${JSON.stringify(key.text)}`,
        'Each must begin with "file:" or "lsm:".',
      ),
    );
}

module.exports = { lintString };
