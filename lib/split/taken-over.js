'use strict';

const { callText } = require('../base/pure/printable');
const { TuneError } = require('../base/pure/errors');
const { mapServerError } = require('../base/server-errors');
const { readNames, unseenNames } = require('./blocked-names');
const { asUsersRead } = require('./lost-record');
const { isUnfinished } = require('./pure/phase-table');
const { ownId } = require('./pure/split-names');
const { findSplits } = require('./state');

/**
 * @import { Context } from './split-command'
 * @import { Port } from './server'
 * @import { Split } from './types'
 */

/**
 * Explains what ended the work on a split, as its user should read it. A shell that was paused may
 * have an old record: where another one works on the split, or has ended it, only status knows the
 * names.
 * @param {Context} ctx
 * @param {any} error
 * @param {{ split: Split, owner: string }} as `split`: as this shell last read it; `owner`: the
 *   owner of its lease
 * @returns {Promise<any>} the error to throw
 */
async function asItStands(ctx, error, { split, owner }) {
  const now = await recordOf(ctx.port, split);
  if (now === null) return asUsersRead(ctx, error, { ...split, ...unseenNames(split) });
  if (!isStillOurs(now, owner, error)) return takenOver(error, now, ctx.signal);
  return asUsersRead(ctx, error, { ...now, ...(await readNames(ctx.port, now)) });
}

/**
 * @param {Port} port
 * @param {Split} split
 * @returns {Promise<Split | null>} null: it is gone, or not known
 */
const recordOf = (port, { _id }) =>
  findSplits(port, { _id }).then(
    ([now]) => now ?? null,
    () => null,
  );

/**
 * Says whether the lease is that of this shell, or of its guardian, which continues.
 * @param {Split} now
 * @param {string} owner
 * @param {any} error
 */
const isStillOurs = (now, owner, error) =>
  now.lease?.owner === owner ||
  (error?.isHandedOver === true && error.code !== 'TUNE-35003' && isUnfinished(now));

/** @param {any} error @param {Split} now @param {AbortSignal} signal */
function takenOver(error, now, signal) {
  const mapped = mapServerError(error, 'a step of a split', signal);
  if (!(mapped instanceof TuneError)) return mapped;
  const code = mapped.code === 'TUNE-30009' ? mapped.code : 'TUNE-35003';
  const said = new TuneError(code, '', { value: now._id, cause: error });
  said.message =
    `[${code}] Another shell has taken over the split ${now._id}, so this one stopped. ` +
    `${callText('split.status', ownId(now))} shows its phase, and the possible commands.`;
  return Object.assign(said, { id: now.planId, phase: now.phase });
}

module.exports = { asItStands };
