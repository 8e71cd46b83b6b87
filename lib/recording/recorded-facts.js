'use strict';

const { SETTING_NAMES } = require('../config/setting-table');

/**
 * @import { Facts } from '../server/pure/facts'
 */

/**
 * The facts in a recording: anybody may have edited them, or a disk; what is not of its kind is not
 * known.
 */

const ROLES = ['standalone', 'primary', 'secondary', 'arbiter', 'mongos', 'other'];
const ORIGINS = ['default', 'startup', 'runtime', 'unknown'];

const isText = (/** @type {unknown} */ value) => typeof value === 'string';
const isNumber = (/** @type {unknown} */ value) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isPositive = (/** @type {unknown} */ value) => isNumber(value) && Number(value) > 0;
const isNumberOrNull = (/** @type {unknown} */ value) => value === null || isNumber(value);

/** @type {Record<keyof Facts, (value: any) => boolean>} */
const KINDS = {
  host: isText,
  version: isText,
  engine: isText,
  dbPath: isText,
  role: (value) => ROLES.includes(value),
  pid: isNumber,
  startedAtMs: isNumber,
  memoryBytes: isPositive,
  memLimitBytes: isPositive,
  cores: isPositive,
  coresAllowed: isPositive,
  machineCores: isPositive,
  dataBytes: isNumber,
  dirtyLimitBytes: isNumber,
  journalCommitMs: isNumber,
  disks: (value) => Array.isArray(value) && value.every(isText),
  config: (value) => SETTING_NAMES.every((setting) => isSetting(value?.[setting])),
};

/** @param {any} setting */
const isSetting = (setting) =>
  isNumberOrNull(setting?.value) &&
  isNumberOrNull(setting.default) &&
  ORIGINS.includes(setting.from) &&
  typeof setting.sinceRestart === 'boolean';

/** @param {any} reported @returns {Partial<Facts>} what is known of it */
const factsIn = (reported) =>
  Object.fromEntries(
    Object.entries(KINDS).flatMap(([name, isOfKind]) =>
      isOfKind(reported?.[name]) ? [[name, reported[name]]] : [],
    ),
  );

module.exports = { factsIn };
