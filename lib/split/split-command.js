'use strict';

const { TuneError } = require('../base/pure/errors');
const { flag } = require('../base/pure/options');
const { report } = require('../text/report');
const { readNames } = require('./blocked-names');
const { isAllowed, notAllowed, runOnEach } = require('./each-split');
const { splitsOf } = require('./state');
const { statusOfSplit } = require('./split-status');
const { noSuch } = require('./with-lease');

/**
 * @import { DataContext } from '../base/context'
 * @import { Split, SplitCommand } from './types'
 */

/**
 * The common part of the commands of an unfinished split.
 * @typedef {DataContext} Context
 */

/**
 * @param {Context} ctx
 * @param {SplitCommand} command
 * @param {{ id: string | undefined, confirm: boolean | undefined, also?: Record<string, unknown> }}
 *   asked `also`: further options
 * @returns {Promise<ReturnType<typeof doneReport>>}
 */
async function runSplitCommand(ctx, command, { id, confirm, also = {} }) {
  const all = await splitsOf(ctx.port, id, { phase: { $in: command.phases } });
  const splits = all.filter((split) => isAllowed(command, split));
  const plans = [...new Set(splits.map(({ planId }) => planId))];
  if (all.length === 0 && (confirm || id !== undefined)) throw noSuch(id);
  if (!confirm)
    return splitsReport(
      command.name,
      await wouldDo(ctx, command, splits),
      plans.length === 0 ? null : confirmCall(command.name, id ?? plans[0], also),
    );
  if (splits.length === 0) throw notAllowed(command, all);
  checkOnePlan(command.name, id, plans);
  return doneReport(command.name, await runOnEach(ctx, command, splits));
}

/** @param {Context} ctx @param {SplitCommand} command @param {readonly Split[]} splits */
async function wouldDo({ port }, command, splits) {
  const rows = [];
  for (const split of splits)
    rows.push({
      ...statusOfSplit({ ...split, ...(await readNames(port, split)) }),
      does: [...(await command.preview(split)), ...((await command.obstacles?.(split)) ?? [])],
    });
  return rows;
}

/**
 * Refuses an id of several plans: a command must not act on more than was named.
 * @param {string} name
 * @param {string | undefined} id
 * @param {readonly string[]} plans
 * @throws {TuneError} TUNE-10004
 */
function checkOnePlan(name, id, plans) {
  if (id === undefined && plans.length > 1)
    throw new TuneError(
      'TUNE-10004',
      `${name}: ${plans.length} plans are in a phase for it, ${plans.join(', ')}: name one.`,
      { value: plans, allowed: 'the id of a plan' },
    );
}

/** @param {'online' | 'offline'} mode @param {boolean} wanted @returns {string[]} */
function guardianSays(mode, wanted) {
  if (mode === 'offline')
    return [
      'Both namespaces are blocked until it is done. If this shell dies, type ' +
        'tune.split.resume(id, { confirm: true }).',
    ];
  return [
    wanted
      ? 'If this shell dies, a second process (the guardian) completes or reverts ' +
        'it within seconds.'
      : 'If this shell dies, both namespaces stay blocked until tune.split.resume(id, ' +
        '{ confirm: true }).',
  ];
}

/** @param {string} name @param {string} id @param {Record<string, unknown>} also */
const confirmCall = (name, id, also) =>
  `${name}("${id}", { ` +
  `${[...Object.entries(also).filter(([, value]) => value !== undefined), ['confirm', true]].map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(', ')} })`;

const DONE = Object.freeze({ does: /** @type {string[] | null} */ (null) });
/**
 * Returns the state of the collections now.
 * @param {string} command @param {readonly Split[]} splits
 */
const doneReport = (command, splits) =>
  splitsReport(
    command,
    splits.map((split) => ({ ...statusOfSplit(split), ...DONE })),
    null,
  );

/**
 * @param {string} [when] when the option matters
 * @returns the option `guardian` of a command
 */
const guardianOption = (when) => ({
  check: flag(),
  default: true,
  description: `false: without guardian, the process that continues if this shell dies${when ? ` ${when}` : ''}`,
});

/**
 * @template {ReturnType<typeof statusOfSplit> & { does: string[] | null }} T
 * @param {string} command
 * @param {T[]} splits
 * @param {string | null} confirm
 * @returns `splits.does`: what would be done, in sentences; null: it is no dry run
 */
function splitsReport(command, splits, confirm) {
  const data = { command, dryRun: splits.every(({ does }) => does !== null), splits, confirm };
  return report(data, (ink) => require('./pure/split-text').renderSplits(data, ink));
}

module.exports = {
  runSplitCommand,
  wouldDo,
  doneReport,
  guardianOption,
  guardianSays,
  splitsReport,
  checkOnePlan,
};
