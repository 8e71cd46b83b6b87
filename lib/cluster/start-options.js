'use strict';

const { START_OPTIONS, ALL_PARAMETERS } = require('../server/pure/commands');
const { askOptional } = require('../base/server-errors');
const { toNumber } = require('../base/pure/numbers');

/**
 * @import { Port } from '../base/context'
 * @import { TuneError } from '../base/pure/errors'
 */

/**
 * Collects the options that a mongod was started with, and its present parameters, in plain values
 * that can be compared.
 * @typedef {{
 *   options: Record<string, unknown> | null, argv: string[],
 *   parameters: Record<string, unknown> | null
 * }} ReportedOptions `argv`: the command line; null where it may not be read
 */

/** Fields that every answer carries. */
const REPLY_FIELDS = new Set([
  'ok',
  '$clusterTime',
  'operationTime',
  '$gleStats',
  'lastCommittedOpTime',
  '$configTime',
  '$topologyTime',
]);

/**
 * @param {Port} port
 * @returns {Promise<ReportedOptions>}
 * @throws {TuneError} TUNE-20006
 */
async function collectOptions(port) {
  const [options, parameters] = await Promise.all([
    askOptional(port, START_OPTIONS),
    askOptional(port, ALL_PARAMETERS),
  ]);
  return {
    options: options === null ? null : /** @type {any} */ (plain(options.parsed ?? {})),
    argv: (options?.argv ?? []).map(String),
    parameters:
      parameters === null
        ? null
        : Object.fromEntries(
            Object.entries(parameters)
              .filter(([name]) => !REPLY_FIELDS.has(name))
              .map(([name, value]) => [name, plain(value)]),
          ),
  };
}

/**
 * @param {unknown} value a value of a driver's document
 * @returns {unknown} the same value in JavaScript's own types
 */
function plain(value) {
  if (value === null || typeof value !== 'object')
    return typeof value === 'bigint' ? Number(value) : value;
  if (Array.isArray(value)) return value.map(plain);
  if ('_bsontype' in value) return toNumber(value) ?? String(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
}

module.exports = { collectOptions };
