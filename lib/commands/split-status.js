'use strict';

const { checkOptions } = require('../options');
const { oplogFrom } = require('../split/server');
const { splitsOf } = require('../split/state');
const { noSuch, shown } = require('./shared/split/act');
const { aboutSplit } = require('./shared/split/about');
const { readArguments } = require('./shared/split/arguments');

/**
 * Every split that this server knows of, or one: how far it is, who works on it, and what can be done now.
 * @param {import('./shared/split/act').Context} ctx
 * @param {string} [first] the id; may be left out
 */
async function splitStatus(ctx, first) {
  const { id, given } = readArguments('tune.split.status', first);
  checkOptions('tune.split.status', {}, given);
  const splits = await splitsOf(ctx.port, id, {});
  if (id !== undefined && splits.length === 0) throw noSuch(id);
  const oplog = splits.some(({ active }) => active) ? await oplogFrom(ctx.port) : null;
  return shown('tune.split.status', splits.map((split) => ({ ...aboutSplit(split, oplog), does: null })), null);
}

module.exports = { splitStatus };
