'use strict';

const { defineCommand } = require('../base/pure/command');
const { oplogFrom } = require('../split/server');
const { readNames } = require('../split/blocked-names');
const { namesNow } = require('../split/names-now');
const { splitsOf } = require('../split/state');
const { splitsReport } = require('../split/split-command');
const { statusOfSplit } = require('../split/split-status');
const { noSuch } = require('../split/with-lease');

/**
 * @import { Context } from '../split/split-command'
 */

module.exports = defineCommand({
  name: 'split.status',
  group: 'Split',
  order: 3,
  takes: ['id'],
  idsOf: 'tune.split.status()',
  usage: 'tune.split.status(id)',
  summary: 'Shows the phase of each split, and the next command',
  examples: ['tune.split.status()', 'tune split status'],
  changes: 'nothing',
  run: splitStatus,
});

/**
 * Every split that this server knows of, or one: how far it is, who works on it, and what can be
 * done now.
 * @param {Context} ctx
 * @param {string | undefined} id
 */
async function splitStatus(ctx, id) {
  const splits = await splitsOf(ctx.port, id, {});
  if (id !== undefined && splits.length === 0) throw noSuch(id);
  const oplog = splits.some(({ active }) => active) ? await oplogFrom(ctx.port) : null;
  const rows = await Promise.all(
    splits.map(async (split) => {
      const row = statusOfSplit({ ...split, ...(await readNames(ctx.port, split)) }, oplog);
      return { ...row, ...(await namesNow(ctx.port, split, row)), does: null };
    }),
  );
  return splitsReport('tune.split.status', rows, null);
}
