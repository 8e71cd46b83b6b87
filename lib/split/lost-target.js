'use strict';

const { callText, renameText } = require('../base/pure/printable');
const { TuneError } = require('../base/pure/errors');
const { CUTOVER_PHASES } = require('./pure/phase-table');
const { ownId } = require('./pure/split-names');
const { findCollection, nameByUuid } = require('./server');
const { freeName } = require('./where-it-stands');

/**
 * @import { Port } from './server'
 * @import { Split } from './types'
 */

/**
 * Explains a dropped target: then only the old data is left, unless another collection has the name
 * of the target by now, and the usual advice does not help.
 * @param {Port} port
 * @param {any} error
 * @param {Split} split
 * @returns {Promise<any>} an error that names the one command that continues, or the given error
 */
async function namingLost(port, error, split) {
  const { phase, from, into, source, target, sourceUuid, stagingUuid } = split;
  if (error?.code !== 'TUNE-35005' || !CUTOVER_PHASES.reverse.includes(phase)) return error;
  try {
    if ((await nameByUuid(port, into.db, stagingUuid)) !== undefined) return error;
    const there = await findCollection(port, into.db, into.name);
    if (there && there.type !== 'view') return replaced(error, split);
    const old = await nameByUuid(port, from.db, sourceUuid);
    const call = callText('split.rollback', ownId(split), { lost: true, confirm: true });
    const dropped = (/** @type {string} */ what) =>
      new TuneError('TUNE-35005', `Another session dropped ${target}${what}`, {
        value: target,
        cause: error,
      });
    if (old === undefined)
      return dropped(` and the old data of ${source}. ${endOf(split, call)} ends the split.`);
    const first = await renamesOf(port, split, old);
    return dropped(
      `. ${first.join(', then ')}${first.length ? '. Then ' : ''}${call} makes ${source} ` +
        'active again with its old data, without later writes.',
    );
  } catch {
    return error;
  }
}

/**
 * Returns the command that ends the split: without data a rollback that has not begun has nothing
 * to do.
 * @param {Split} split @param {string} rollback
 */
const endOf = (split, rollback) =>
  split.phase === 'switched' ? callText('split.finish', ownId(split), { confirm: true }) : rollback;

/**
 * Makes the calls that give the old data its name back, without which it cannot be made active.
 * @param {Port} port
 * @param {Split} split
 * @param {string} old its present name
 * @returns {Promise<string[]>} calls
 */
async function renamesOf(port, { from: { db, name, renamedTo } }, old) {
  if (old === renamedTo || old === name) return [];
  const isTaken = (await findCollection(port, db, renamedTo)) !== null;
  const other = isTaken ? await freeName(port, db, `${name}_other`) : null;
  return [
    ...(other ? [renameText({ db, name: renamedTo }, other)] : []),
    renameText({ db, name: old }, renamedTo),
  ];
}

/** @param {unknown} cause @param {Split} split */
const replaced = (cause, { target }) =>
  new TuneError(
    'TUNE-35005',
    `Another session replaced ${target}. The collection that has this name now takes the writes.`,
    { value: target, cause },
  );

module.exports = { namingLost };
