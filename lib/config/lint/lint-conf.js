'use strict';

const { nearest } = require('../../base/pure/nearest');
const { settingsIn } = require('../effective-config');
const { defaultsFor } = require('../config-layers');
const { compareVersions, parseVersion } = require('../../base/pure/version');
const { cacheCautions, SMALLEST_CACHE_GB } = require('../safety');
const { PLACES, RANGES } = require('./conf-options');
const { lintString } = require('./lint-string');
const { error, warning } = require('./problem');

/**
 * @import { Availability } from './conf-options'
 * @import { Problem } from './problem'
 */

/**
 * Checks a whole mongod.conf.
 * @typedef {(path: readonly string[]) => number | null} PositionOf
 * @typedef {{ value: any, positionOf: PositionOf, version: string, memoryBytes?: number | null }}
 *   Conf `value`: the parsed YAML; `memoryBytes`: the memory that the server may use, if that is
 *   known
 */

const ENGINE = ['storage', 'wiredTiger', 'engineConfig'];

/** @param {Conf} conf @returns {Problem[]} in the order of the text */
function lintConf(conf) {
  const checks = [
    unknownOptions,
    ranges,
    tooLarge,
    cacheTwice,
    engineString,
    runTimeOnly,
    notAnEngine,
    noCheckpoints,
    executor,
  ];
  return checks
    .flatMap((check) => check(conf))
    .sort((a, b) => (a.position ?? Infinity) - (b.position ?? Infinity));
}

/** @param {any} value @param {readonly string[]} path */
const at = (value, path) =>
  path.reduce(
    (node, key) => (node !== null && typeof node === 'object' ? node[key] : undefined),
    value,
  );

/** @param {Conf} conf @returns {Problem[]} */
function unknownOptions({ value, positionOf, version }) {
  return PLACES.flatMap(({ path, known }) => {
    const section = at(value, path);
    if (section === undefined || section === null) return [];
    if (typeof section !== 'object')
      return [
        error(
          path.join('.'),
          positionOf(path),
          `${path.join('.') || 'The file'} must contain options, not ${JSON.stringify(section)}`,
          'Write its options below it, indented by two spaces.',
          'start',
        ),
      ];
    return Object.keys(section)
      .filter((name) => !name.startsWith('__'))
      .flatMap((name) =>
        oneOption({ path, known, name, position: positionOf([...path, name]), version }),
      );
  });
}

/**
 * @param {{
 *   path: string[], known: Record<string, Availability>, name: string,
 *   position: number | null, version: string
 * }} option
 * @returns {Problem[]}
 */
function oneOption({ path, known, name, position, version }) {
  const full = [...path, name].join('.');
  if (!Object.hasOwn(known, name)) {
    const like = nearest(name, Object.keys(known));
    return [
      error(
        full,
        position,
        `mongod does not support the option ${full} and does not start`,
        like ? `Did you mean ${like}?` : 'Remove it.',
        'start',
      ),
    ];
  }
  const { since, patch, until, gone = 'Remove it.' } = known[name];
  if (since && compareLines(version, since) < 0 && !isFrom(version, patch))
    return [
      error(
        full,
        position,
        `${full} is available from ${[patch, since].filter(Boolean).join(' and ')}; MongoDB ${version} does not start with it`,
        gone,
        'start',
      ),
    ];
  if (until && compareLines(version, until) > 0)
    return [
      error(
        full,
        position,
        `${full} was removed after ${until}; MongoDB ${version} does not start with it`,
        gone,
        'start',
      ),
    ];
  return [];
}

/** @param {string} version @param {string} [patch] */
const isFrom = (version, patch) =>
  patch !== undefined && compareLines(version, patch) === 0 && compareVersions(version, patch) >= 0;

/** @param {string} version @param {string} line */
function compareLines(version, line) {
  const [a, b] = [parseVersion(version), parseVersion(line)];
  return a[0] - b[0] || a[1] - b[1];
}

/** @param {Conf} conf @returns {Problem[]} */
function ranges({ value, positionOf, version }) {
  return RANGES.flatMap(({ path, min, max, since = version }) => {
    const given = at(value, path);
    if (given === undefined || given === null) return [];
    const name = path.join('.');
    const number = typeof given === 'boolean' || given === '' ? NaN : Number(given);
    if (!Number.isFinite(number))
      return [
        error(
          name,
          positionOf(path),
          `${name} must be a number, not ${JSON.stringify(given)}`,
          'Write a number without a unit.',
          'start',
        ),
      ];
    const make = compareLines(version, since) >= 0 ? error : warning;
    return number >= min && number <= max
      ? []
      : [
          make(
            name,
            positionOf(path),
            `${name} ${number} is out of range`,
            `Give ${min} to ${max}.`,
            'start',
          ),
        ];
  });
}

/** A size that is too small is out of range already. @param {Conf} conf @returns {Problem[]} */
function tooLarge({ value, positionOf, memoryBytes = null }) {
  const path = [...ENGINE, 'cacheSizeGB'];
  const sizeGB = Number(at(value, path) ?? NaN);
  if (!(sizeGB >= SMALLEST_CACHE_GB)) return [];
  return cacheCautions(sizeGB, memoryBytes).map(({ say, todo }) =>
    warning(path.join('.'), positionOf(path), say, todo, 'start'),
  );
}

/** @param {Conf} conf @returns {Problem[]} */
function cacheTwice({ value, positionOf }) {
  const engine = at(value, ENGINE) ?? {};
  const position = positionOf([...ENGINE, 'cacheSizeGB']);
  const inString =
    typeof engine.configString === 'string' &&
    settingsIn(engine.configString).cacheSizeGB !== undefined;
  return [
    ...(engine.cacheSizeGB !== undefined && engine.cacheSizePct !== undefined
      ? [
          error(
            'storage.wiredTiger.engineConfig.cacheSizePct',
            position,
            'cacheSizeGB and cacheSizePct exclude each other',
            'Keep one of them.',
            'start',
          ),
        ]
      : []),
    ...(inString
      ? [
          warning(
            'storage.wiredTiger.engineConfig.configString',
            positionOf([...ENGINE, 'configString']),
            engine.cacheSizeGB === undefined
              ? "cache_size in configString bypasses mongod's own checks of the cache size"
              : 'The cache size is given twice: cache_size in configString overrides cacheSizeGB',
            'Give the size only as cacheSizeGB.',
            'start',
          ),
        ]
      : []),
  ];
}

/** @param {Conf} conf @returns {Problem[]} */
function engineString({ value, positionOf, version, memoryBytes }) {
  const text = at(value, [...ENGINE, 'configString']);
  const path = [...ENGINE, 'configString'];
  if (text === undefined || text === null) return [];
  if (typeof text !== 'string')
    return [
      error(
        path.join('.'),
        positionOf(path),
        `${path.join('.')} must be text`,
        'Put it in quotes.',
        'start',
      ),
    ];
  const sizeGB = Number(at(value, [...ENGINE, 'cacheSizeGB']) ?? NaN);
  const base = { ...defaultsFor(null), ...(Number.isFinite(sizeGB) && { cacheSizeGB: sizeGB }) };
  const start = positionOf(path);
  return lintString(text, { version, at: 'start', base, memoryBytes })
    .filter(({ say }) => !say.startsWith('An empty string'))
    .map((problem) => ({
      ...problem,
      when: /** @type {const} */ ('start'),
      position: start === null || problem.position === null ? start : start + problem.position,
    }));
}

/** @param {Conf} conf @returns {Problem[]} */
function runTimeOnly({ value, positionOf }) {
  const path = ['setParameter', 'wiredTigerEngineRuntimeConfig'];
  if (at(value, path) === undefined) return [];
  return [
    error(
      path.join('.'),
      positionOf(path),
      'wiredTigerEngineRuntimeConfig cannot be given at start: mongod exits with "Unknown ' +
        '--setParameter"',
      'Give its keys as storage.wiredTiger.engineConfig.configString, the cache size as ' +
        'cacheSizeGB.',
      'start',
    ),
  ];
}

/** @param {Conf} conf @returns {Problem[]} */
function notAnEngine({ value, positionOf }) {
  const engine = at(value, ['storage', 'engine']);
  if (engine === undefined || engine === 'wiredTiger') return [];
  return [
    warning(
      'storage.engine',
      positionOf(['storage', 'engine']),
      `With the engine ${JSON.stringify(engine)} the wiredTiger options have no effect`,
      'Write wiredTiger, or remove it.',
      'start',
    ),
  ];
}

/** @param {Conf} conf @returns {Problem[]} */
function noCheckpoints({ value, positionOf }) {
  if (Number(at(value, ['storage', 'syncPeriodSecs']) ?? 1) !== 0) return [];
  return [
    warning(
      'storage.syncPeriodSecs',
      positionOf(['storage', 'syncPeriodSecs']),
      'syncPeriodSecs 0 disables periodic checkpoints: the journal grows, and a start after a ' +
        'crash takes long',
      'Remove it (default 60).',
      'start',
    ),
  ];
}

/** @param {Conf} conf @returns {Problem[]} */
function executor({ value, positionOf, version }) {
  const path = ['net', 'serviceExecutor'];
  if (at(value, path) === undefined) return [];
  // Only 6.0.5 was tried: it does not start.
  const make = compareLines(version, '6.0') >= 0 ? error : warning;
  return [
    make(
      path.join('.'),
      positionOf(path),
      'net.serviceExecutor exists only in old releases; newer ones do not start with it',
      'Remove it.',
      'start',
    ),
  ];
}

module.exports = { lintConf };
