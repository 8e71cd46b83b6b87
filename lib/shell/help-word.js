'use strict';

/**
 * @import { Tune } from './tune'
 */

// Tells our help function from mongosh's, should the snippet be loaded twice.
const OURS = Symbol.for('mongosh-tune.help');

/**
 * `help(tune)` and `help(tune.status)`: mongosh's own help ignores what it is given and shows the
 * general help.
 * @param {any} shell
 * @param {Tune} tune
 */
function extendHelp(shell, tune) {
  const original = shell.help?.[OURS] ?? shell.help;
  if (typeof original !== 'function') return;
  shell.help = new Proxy(original, {
    apply: (target, self, args) => helpOf(tune, args[0]) ?? Reflect.apply(target, self, args),
    get: (target, name) => (name === OURS ? original : Reflect.get(target, name)),
  });
}

/** @param {Tune} tune @param {unknown} about */
function helpOf(tune, about) {
  if (about === tune) return tune.help();
  return commandsIn(tune)
    .find((one) => one === about)
    ?.help();
}

/** @param {Tune} tune @returns {any[]} with those below others */
const commandsIn = (tune) => Object.values(tune).flatMap((one) => [one, ...commandsIn(one)]);

module.exports = { extendHelp };
