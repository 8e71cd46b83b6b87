'use strict';

const checks = require('./pure/checks');
const { TuneError } = require('./pure/errors');
const { show } = require('./pure/options');

/**
 * @import { Option, OptionTable } from './pure/options'
 */

/**
 * Reads options from environment variables, because mongosh passes a script no arguments: it takes
 * each further word for a file. `seconds` is TUNE_SECONDS, `saveBaseline` is TUNE_SAVE_BASELINE.
 */

const PREFIX = 'TUNE_';
/** The words for yes and no in files of settings. */
const FLAGS = new Map(
  /** @type {[string, boolean][]} */ ([
    ['1', true],
    ['true', true],
    ['yes', true],
    ['on', true],
    ['0', false],
    ['false', false],
    ['no', false],
    ['off', false],
  ]),
);

/** Whether a variable says yes. @param {string | undefined} text */
const isOn = (text) => FLAGS.get((text ?? '').trim().toLowerCase()) === true;

/** @param {string} option */
const variableOf = (option) => PREFIX + option.replace(/[A-Z]/g, '_$&').toUpperCase();

/**
 * @param {string} script as the user types it, `check.js`
 * @param {OptionTable} table those the script has, as its command checks them
 * @param {Readonly<Record<string, string | undefined>>} env a variable that is set and empty is as
 *   one that is not set
 * @returns {Record<string, unknown>} those given
 * @throws {TuneError} TUNE-10001 for a variable TUNE_… that the script does not have, TUNE-10002
 *   for a wrong value
 */
function optionsFrom(script, table, env) {
  const names = new Map(Object.keys(table).map((name) => [variableOf(name), name]));
  const given = Object.entries(env).filter(
    ([variable, text]) => variable.startsWith(PREFIX) && text !== undefined && text.trim() !== '',
  );
  return Object.fromEntries(
    given.map(([variable, text]) => {
      const name = names.get(variable);
      if (name === undefined)
        throw new TuneError(
          'TUNE-10001',
          `${script}: there is no variable ${variable}. Allowed: ` +
            `${[...names.keys()].sort().join(', ')}.`,
          { value: variable, allowed: [...names.keys()] },
        );
      return [
        name,
        valueOf(`${script}: ${variable}`, table[name], /** @type {string} */ (text).trim()),
      ];
    }),
  );
}

/** @param {string} where @param {Option} option @param {string} text */
function valueOf(where, option, text) {
  const isAllowed = option.schema(checks);
  const meant = [
    text,
    Number(text),
    FLAGS.get(text.toLowerCase()),
    text.split(',').map((part) => part.trim()),
  ].find((value) => value !== undefined && isAllowed(value));
  if (meant === undefined)
    throw new TuneError('TUNE-10002', `${where} must be ${option.allowed}, not ${show(text)}.`, {
      value: text,
      allowed: option.allowed,
    });
  return meant;
}

module.exports = { isOn, optionsFrom, variableOf };
