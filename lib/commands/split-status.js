'use strict';

const { defineCommand } = require('../base/pure/command');
const { findCollection, oplogFrom } = require('../split/server');
const { readNames } = require('../split/blocked-names');
const { isSplitView } = require('../split/target');
const { splitsOf } = require('../split/state');
const { noSuch, splitsReport } = require('../split/split-command');
const { statusOfSplit } = require('../split/split-status');

/**
 * @import { Context } from '../split/split-command'
 * @import { Port } from '../split/server'
 * @import { Split } from '../split/types'
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
  const views = await Promise.all(splits.map((split) => refusing(ctx.port, split)));
  const names = await Promise.all(splits.map((split) => readNames(ctx.port, split)));
  return splitsReport(
    'tune.split.status',
    splits.map((split, i) => ({
      ...statusOfSplit({ ...split, ...names[i] }, oplog),
      ...views[i],
      does: null,
    })),
    null,
  );
}

/**
 * The name that refuses after a switch, and after a rollback.
 * @type {Readonly<Record<string, 'from' | 'into'>>}
 */
const REFUSING = Object.freeze({ switched: 'from', 'rolled-back': 'into' });

/**
 * A view can be dropped by anybody, as a job does that drops a collection and loads it again.
 * @param {Port} port
 * @param {Split} split
 * @returns {Promise<{ viewInPlace: boolean | null, nameTaken: boolean | null }>} `viewInPlace`:
 *   null where none is due, or it is not known
 */
async function refusing(port, { phase, ...split }) {
  const place = split[REFUSING[phase]];
  if (!place) return { viewInPlace: null, nameTaken: null };
  const there = await findCollection(port, place.db, place.name).catch(() => undefined);
  if (there === undefined) return { viewInPlace: null, nameTaken: null };
  return { viewInPlace: isSplitView(there), nameTaken: there !== null && !isSplitView(there) };
}
