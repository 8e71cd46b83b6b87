'use strict';

const { callText } = require('../../base/pure/printable');
const { callLines, headed, part } = require('../../text/layout');

/**
 * @import { Ink } from '../../base/types'
 * @import { SplitPlan } from './types'
 */

/**
 * Lists remarks; those on a collection begin with its name.
 * @param {SplitPlan} plan
 * @param {'blockers' | 'warnings'} kind
 */
const remarksOf = (plan, kind) => [
  ...plan.moves.flatMap((move) => move[kind].map(({ say }) => `${move.ns}: ${say}`)),
  ...plan[kind].map(({ say }) => say),
];

/**
 * Says whether the plan needs another disk: only a collection that becomes several files gains without
 * one.
 * @param {SplitPlan} plan
 */
const needsDisk = ({ worthIt, by, parts }) =>
  worthIt === 'yes' && by === null && parts.length === 0;

const BACK = 'tune.split.abort()';
const BACK_LATER = 'after the cutover: tune.split.rollback()';

/**
 * Prints the next command: only a plan that helps, without a blocker, ends with the command to run
 * it.
 * @param {SplitPlan} plan
 * @param {Ink} ink
 */
function next(plan, ink) {
  if (plan.moves.length === 0)
    return plan.parts.length === 0
      ? []
      : part('NEXT', 'the application moves and routes the documents; see tune.last.parts', ink);
  const blockers = remarksOf(plan, 'blockers').length;
  if (blockers > 0) return afterBlockers(plan, blockers, ink);
  if (plan.worthIt === 'no')
    return part('NEXT', 'nothing to run: this split brings no benefit', ink);
  /** @type {[string, string | null][]} */
  const calls = [
    ['Keep', 'plan = tune.last'],
    ['Dry run', 'tune.split.run(plan)'],
  ];
  if (plan.worthIt === 'unknown')
    return [
      ...part('NEXT', 'plan again under load; run it now only if you need the split anyway', ink),
      ...callLines(
        [['Plan', plan.moves.length > MAX_NAMED ? null : planCall(plan, plan.moves)], ...calls],
        ink,
      ),
    ];
  return [
    ...(needsDisk(plan)
      ? part(
          'NEXT',
          `first mount another disk at the directory of ${plan.into.join(', ')}, on every member`,
          ink,
        )
      : [headed('NEXT', ink).trimEnd()]),
    ...callLines(
      [
        ...calls,
        ['Run', 'tune.split.run(plan, { confirm: true })'],
        ['Way back', BACK],
        ['Or', BACK_LATER],
      ],
      ink,
    ),
  ];
}

/** Seconds of a window that holds a checkpoint (every 60 s) whenever it begins. */
const PAST_A_CHECKPOINT = 65;

/**
 * Returns the target where it is not the default.
 * @param {string} from @param {readonly string[]} into
 */
const targetOf = (from, into) =>
  into.join() === `${from}2` ? {} : { target: into.length === 1 ? into[0] : into };

/**
 * Makes the call for a plan of some collections; where it is not known what they write, with a
 * window that sees it.
 * @param {SplitPlan} plan
 * @param {SplitPlan['moves']} moves
 */
const planCall = ({ from, into, worthIt }, moves) =>
  callText('split.plan', {
    source: from,
    collections: moves.map(({ ns }) => ns.slice(from.length + 1)),
    ...targetOf(from, into),
    ...(worthIt === 'unknown' && { seconds: PAST_A_CHECKPOINT }),
  });

/** Largest number of names; more do not fit on a line. */
const MAX_NAMED = 3;

/**
 * Prints what to do about blockers: where only some collections are blocked, a plan of the others.
 * @param {SplitPlan} plan
 * @param {number} count the number of blockers
 * @param {Ink} ink
 */
function afterBlockers(plan, count, ink) {
  const free = plan.moves.filter((move) => move.blockers.length === 0);
  const isPart = plan.blockers.length === 0 && free.length > 0;
  const remove = `remove the ${count === 1 ? 'blocker' : 'blockers'}, then plan again`;
  if (!isPart) return part('NEXT', remove, ink);
  return [
    ...part('NEXT', `plan without what is blocked, or ${remove}`, ink),
    ...callLines([['Plan', planCall(plan, free)]], ink),
  ];
}

module.exports = { needsDisk, next, remarksOf };
