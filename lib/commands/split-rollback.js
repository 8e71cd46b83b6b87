'use strict';

const { defineCommand, confirmOption } = require('../base/pure/command');
const { flag } = require('../base/pure/options');
const { CUTOVER_PHASES } = require('../split/pure/phase-table');
const { mayLack } = require('../split/pure/phase-words');
const { obstaclesOf } = require('../split/preconditions');
const { checkHasWayBack, restoreOldData, rollBack } = require('../split/rollback');
const { nameByUuid } = require('../split/server');
const { runSplitCommand, guardianSays, guardianOption } = require('../split/split-command');

/**
 * @import { Context } from '../split/split-command'
 * @import { Split } from '../split/types'
 */

module.exports = defineCommand({
  name: 'split.rollback',
  group: 'Split',
  order: 7,
  takes: ['id', 'options'],
  idsOf: 'tune.split.status()',
  usage: 'tune.split.rollback(id, { confirm … })',
  summary: 'Makes the source active again, with all writes since the cutover',
  details: 'The data of the target is kept until tune.split.finish()',
  options: {
    confirm: confirmOption('a DRY RUN shows what would be done'),
    lost: {
      check: flag(),
      default: false,
      description: 'the target was dropped: restore the old data, without the writes since',
    },
    guardian: guardianOption(),
  },
  examples: [
    'tune.split.rollback()',
    'tune.split.rollback({ confirm: true })',
    'tune split rollback --confirm',
  ],
  changes: 'splits',
  risks: [
    'The same interruption as the cutover, in the other direction.',
    'With { lost: true } the writes since the last resume or cutover are lost.',
  ],
  run: splitRollback,
});

/**
 * Rolls a split back after its cutover: what was written to the target since is applied to the old
 * data, then that gets its name again.
 * @param {Context} ctx
 * @param {string | undefined} id
 * @param {{ confirm: boolean, lost: boolean, guardian: boolean }} options
 */
async function splitRollback(ctx, id, { confirm, lost, guardian }) {
  return runSplitCommand(
    ctx,
    {
      name: 'tune.split.rollback',
      phases: CUTOVER_PHASES.reverse,
      guardian: guardian && !lost ? 'required' : 'none',
      allowLost: lost,
      obstacles: async (split) => (lost ? [] : obstaclesOf(ctx.port, split)),
      preview: lost
        ? (split) => doesLost(ctx.port, split)
        : (split) => [...does(split), ...guardianSays(split.mode, guardian)],
      run: lost ? restoreOldData : rollBack,
    },
    { id, confirm, also: { lost: lost || undefined, guardian: guardian ? undefined : false } },
  );
}

/** Says what a rollback would do. @param {Split} split */
function does(split) {
  checkHasWayBack(split);
  const { source, target } = split;
  return [
    `${target} is blocked. The writes since the cutover are applied to the old data.`,
    `${source} has its data again and is active. The data of ${target} is kept until ` +
      'tune.split.finish().',
  ];
}

/**
 * Says what a rollback would do where the target is gone.
 * @param {Context['port']} port
 * @param {Split} split
 */
async function doesLost(port, split) {
  const { source, target, appliedAt, from, sourceUuid, phase } = split;
  const old = await nameByUuid(port, from.db, sourceUuid);
  if (old === undefined && phase === 'switched')
    return [`Refused: the old data of ${source} no longer exists.`];
  return [
    old === undefined
      ? `The old data of ${source} no longer exists: ${source} and ${target} are freed, and the ` +
        'split ends.'
      : `${source} is active again with its old data, as of ` +
        `${appliedAt ? appliedAt.toISOString() : 'the cutover'}: later writes ` +
        `to ${target} are not in it.`,
    ...(old === undefined ? [] : mayLack(split)),
    `It fails while the data of ${target} still exists in that database under any name.`,
  ];
}
