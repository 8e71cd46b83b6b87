'use strict';

const { run: apply } = require('../../lib/commands/apply');
const { run: config } = require('../../lib/commands/settings');
const { run: undo } = require('../../lib/commands/undo');

/**
 * @import { Context } from '../../lib/base/context'
 */

const CALL = /tune\.(apply|undo)\(([^()]*confirm: true[^()]*)\)/g;

/**
 * Types what was printed, in turn.
 * @param {Context} context @param {string} text
 * @returns {Promise<number>} how many calls that were
 */
async function typeWords(context, text) {
  const calls = [...text.matchAll(CALL)];
  for (const [, command, args] of calls)
    await { apply, undo }[command](context, ...new Function(`return [${args}]`)());
  return calls.length;
}

/**
 * @param {Context} context @param {Record<string, number>} like
 * @returns {Promise<Record<string, number>>} what is in effect of the same settings
 */
async function valuesOf(context, like) {
  const found = await config(context);
  return Object.fromEntries(Object.keys(like).map((setting) => [setting, found[setting].value]));
}

module.exports = { typeWords, valuesOf };
