'use strict';

const { defineCommand } = require('../base/pure/command');
const { literal, quoted } = require('../base/pure/literal');
const { findCollection, oplogFrom } = require('../split/server');
const { readNames } = require('../split/blocked-names');
const { forward, reverse, viewInPlace: viewInPlaceOf } = require('../split/directions');
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

/** @typedef {{ viewInPlace: boolean | null, nameTaken: boolean | null, blockCall: string | null }} Refusing */

/** @type {Refusing} */
const NOT_DUE = Object.freeze({ viewInPlace: null, nameTaken: null, blockCall: null });

/**
 * A view can be dropped by anybody, as a job does that drops a collection and loads it again.
 * @param {Port} port
 * @param {Split} split
 * @returns {Promise<Refusing>} `viewInPlace`: null where none is due, or it is not known;
 *   `blockCall`: what makes it again where it is not there
 */
async function refusing(port, split) {
  const place = /** @type {any} */ (split)[REFUSING[split.phase]];
  if (!place) return NOT_DUE;
  const there = await findCollection(port, place.db, place.name).catch(() => undefined);
  if (there === undefined) return NOT_DUE;
  const viewInPlace = isSplitView(there);
  return {
    viewInPlace,
    nameTaken: there !== null && !viewInPlace,
    blockCall: viewInPlace ? null : blockCallOf(split),
  };
}

/** Fails where the name is taken. @param {Split} split @returns {string} as it is typed */
function blockCallOf(split) {
  const direction = split.phase === 'rolled-back' ? reverse(split) : forward(split);
  const { viewOn, pipeline } = viewInPlaceOf(direction);
  const args = [direction.from.name, viewOn, pipeline].map(literal).join(', ');
  return `db.getSiblingDB(${quoted(direction.from.db)}).createView(${args})`;
}
