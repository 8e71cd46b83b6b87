'use strict';

const { checkOptions, flag } = require('../base/pure/options');
const { TuneError } = require('../base/pure/errors');
const { compareAll } = require('../split/restart');
const { catchUp } = require('../split/catch-up');
const { persist } = require('../split/persistently');
const { reverse, forward } = require('../split/directions');
const { checkPrimary } = require('../split/server');
const { splitsOf } = require('../split/state');
const { compare, compareOnly, verifiedOf } = require('../split/verify');
const { startReader } = require('../split/work');
const { statusOfSplit } = require('../split/split-status');
const { readArguments } = require('../split/arguments');
const { checkOnePlan, noSuch, shown, withWork } = require('../split/run-verb');
const { stopped } = require('../split/stopped');

/**
 * @import { Context } from '../split/run-verb'
 * @import { Split } from '../split/state'
 * @import { Work } from '../split/work'
 */

const OPTIONS = { repair: flag(), confirm: flag() };
const PHASES = Object.freeze(['following', 'switched']);

/**
 * Compares both sides document by document, byte by byte, and writes nothing: what was written to
 * the side that counts since it was brought over last is pending. Before the cutover the source
 * counts, after it the target.
 * @param {Context} ctx
 * @param {string | object} [first] the id; may be left out
 * @param {{ repair?: boolean, confirm?: boolean }} [options] `repair`: brings over what is pending
 *   and, again, what
 *   differs, compares until nothing does, and writes the result down
 */
async function splitVerify(ctx, first, options) {
  const { id, given } = readArguments('tune.split.verify', first, options);
  const { repair = false, confirm = false } = checkOptions('tune.split.verify', OPTIONS, given);
  const all = await splitsOf(ctx.port, id, { phase: { $in: PHASES } });
  if (id !== undefined && all.length === 0) throw noSuch(id);
  if (repair && !confirm) return onlyShown(all, id);
  if (repair) checkOnePlan('tune.split.verify', id, [...new Set(all.map(({ planId }) => planId))]);
  const verify = async (/** @type {Split} */ split) =>
    repair ? statusOfSplit(await withWork(ctx, split, repaired)) : checked(ctx, split);
  const rows = [];
  for (const split of all) rows.push(await verify(split));
  return shown(
    'tune.split.verify',
    rows.map((row) => ({ ...row, does: null })),
    null,
  );
}

/** @param {Split[]} splits @param {string | undefined} id */
function onlyShown(splits, id) {
  const call =
    splits.length === 0
      ? null
      : `tune.split.verify("${id ?? splits[0].planId}", { repair: true, confirm: true })`;
  return shown(
    'tune.split.verify',
    splits.map((split) => ({ ...statusOfSplit(split), does: [does(split)] })),
    call,
  );
}

/** @param {Split} split */
const does = ({ phase, source, target }) =>
  phase === 'following'
    ? `${source} and its copy are compared; what differs is copied again from ${source}. ` +
      'Applications notice nothing.'
    : `${target} and the old data of ${source} are compared; what differs is copied again to ` +
      'the old data. Applications notice nothing.';

/** @param {Split} split @throws {TuneError} TUNE-35010 */
function directionOf(split) {
  const { phase, source } = split;
  if (!PHASES.includes(phase))
    throw new TuneError('TUNE-35010', `${source} is ${phase}: there are no two sides to compare.`, {
      value: phase,
      allowed: PHASES,
    });
  return phase === 'following' ? forward(split) : reverse(split);
}

/**
 * @param {Context} ctx
 * @param {Split} split
 */
async function checked(ctx, split) {
  try {
    await checkPrimary(ctx.port, ctx.signal);
    const found = await compareOnly(startReader(ctx, split), directionOf(split));
    return statusOfSplit({ ...split, verified: { ...verifiedOf(found), pending: found.pending } });
  } catch (error) {
    throw stopped(error, split, ctx.signal);
  } finally {
    ctx.progress(null);
  }
}

/** @param {Work} work */
async function repaired(work) {
  await persist(work, async () => {
    // Under the lease: in another phase the side that counts may be the other one.
    const direction = directionOf(work.split);
    const { mode, uncompared } = work.split;
    if (uncompared && mode === 'online') return compareAll(work, direction.way);
    const moving = mode === 'online' ? () => catchUp(work, direction.way) : null;
    if (moving) await moving();
    await work.save({
      verified: verifiedOf(await compare(work, direction, moving)),
      uncompared: false,
    });
  });
}

module.exports = { splitVerify };
