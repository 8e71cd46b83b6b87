'use strict';

const { checkOptions, flag } = require('../base/pure/options');
const { obstaclesOf } = require('../split/obstacles');
const { checkHasWayBack, restoreOldData, rollBack } = require('../split/undo');
const { runVerb, guardianSays } = require('../split/run-verb');
const { readArguments } = require('../split/arguments');

/**
 * @import { Context } from '../split/run-verb'
 * @import { Split } from '../split/state'
 */

const OPTIONS = { confirm: flag(), lost: flag(), guardian: flag() };

/**
 * Rolls a split back after its cutover: what was written to the target since is applied to the old
 * data, then that gets its name again.
 * @param {Context} ctx
 * @param {string | object} [first] the id; may be left out
 * @param {{ confirm?: boolean, lost?: boolean, guardian?: boolean }} [options] `lost`: the new
 *   place is gone; the old data gets its name again
 *   as it is, without what was written since it was last brought up to date; `guardian`: whether a
 *   second process goes on if this one dies (true)
 */
async function splitRollback(ctx, first, options) {
  const { id, given } = readArguments('tune.split.rollback', first, options);
  const {
    confirm,
    lost = false,
    guardian = true,
  } = checkOptions('tune.split.rollback', OPTIONS, given);
  return runVerb(
    ctx,
    {
      name: 'tune.split.rollback',
      phases: ['switched', 'cutting-back', 'draining-back', 'switching-back'],
      guarded: guardian && !lost,
      evenLost: lost,
      warns: async (split) => (lost ? [] : obstaclesOf(ctx.port, split)),
      does: lost ? doesLost : (split) => [...does(split), ...guardianSays(split.mode, guardian)],
      work: lost ? restoreOldData : rollBack,
    },
    { id, confirm, also: { lost: lost || undefined, guardian: guardian ? undefined : false } },
  );
}

/** @param {Split} split */
function does(split) {
  checkHasWayBack(split);
  const { source, target } = split;
  return [
    `${target} refuses every operation from one moment on; what was written to it since the ` +
      'cutover is applied to the old data.',
    `${source} has its data again and answers. ${target} refuses; its data is kept until ` +
      'tune.split.finish().',
  ];
}

/** @param {Split} split */
const doesLost = ({ source, target, broughtAt }) => [
  `${source} has its old data again and answers, as it was ` +
    `${broughtAt ? `at ${broughtAt.toISOString()}` : 'at the cutover'}: what was written to ` +
    `${target} since is not in it.`,
  `It is refused while the data that was at ${target} is in that database under any name.`,
];

module.exports = { splitRollback };
