'use strict';

const { inspect } = require('node:util');
const { bind } = require('./bind');
const { wrap } = require('../text/wrap');

/**
 * @import { Entry } from '../../snippets/tune'
 * @import { Place } from './bind'
 */

/** @typedef {Record<string | symbol, any>} Tune */

/**
 * The object users have. Its own enumerable names are the commands, and nothing is inherited, so
 * that TAB offers nothing else.
 * @param {Readonly<Record<string, Entry>>} table
 * @param {Place} place
 * @returns {Tune}
 */
function makeTune(table, place) {
  /** @type {Tune} */
  const tune = Object.create(null);
  const remember = (/** @type {unknown} */ answer) => hide(tune, 'last', answer);
  for (const [name, entry] of Object.entries(table))
    tune[name] = commandOf(name, entry, place, remember);
  remember(undefined);
  hideLazily(tune, 'help', () => require('./help').overallHelp(table));
  hide(tune, inspect.custom, () => require('./overview').overview(table));
  hide(tune, Symbol.toPrimitive, () => require('./overview').overview(table));
  return tune;
}

/**
 * @param {string} name
 * @param {Entry} entry
 * @param {Place} place
 * @param {(answer: unknown) => void} remember
 */
function commandOf(name, entry, place, remember) {
  /** @type {Tune} */
  const command = bind(name, entry, place, remember);
  // What every function has (apply, bind, call …) is no command: TAB shall not offer it, and
  // `tune.apply.call` is nobody's wish.
  Object.setPrototypeOf(command, null);
  for (const own of ['name', 'length']) delete command[own];
  hideLazily(command, 'help', () => require('./help').commandHelp(entry));
  for (const [below, one] of Object.entries(entry.commands ?? {}))
    command[below] = commandOf(`${name}.${below}`, one, place, remember);
  // `tune.status` without parentheses.
  hide(command, inspect.custom, () =>
    wrap(
      `${entry.usage}  ${entry.help}. Call it with (); tune.${name}.help() tells more.`,
      '  ',
      '',
    ).join('\n'),
  );
  return command;
}

/** @param {object} target @param {string | symbol} name @param {unknown} value */
const hide = (target, name, value) =>
  Object.defineProperty(target, name, {
    value,
    writable: true,
    configurable: true,
    enumerable: false,
  });

/** @param {object} target @param {string} name @param {() => unknown} make */
const hideLazily = (target, name, make) =>
  Object.defineProperty(target, name, { get: make, configurable: true, enumerable: false });

module.exports = { makeTune };
