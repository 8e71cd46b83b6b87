'use strict';

const { callText } = require('../../base/pure/printable');
const { callLines, headed, part } = require('../../text/layout');

/**
 * @import { Ink } from '../../base/types'
 * @import { SplitPlan } from './types'
 */

/**
 * Remarks on a collection begin with its name.
 * @param {SplitPlan} plan
 * @param {'blockers' | 'warnings'} kind
 */
const remarksOf = (plan, kind) => [
  ...plan.moves.flatMap((move) => move[kind].map(({ say }) => `${move.ns}: ${say}`)),
  ...plan[kind].map(({ say }) => say),
];

const BACK = 'tune.split.abort({ confirm: true })';
const BACK_LATER = 'after the cutover: tune.split.rollback({ confirm: true })';

/**
 * Only a plan that helps, without a blocker, ends with the command to run it.
 * @param {SplitPlan} plan
 * @param {Ink} ink
 */
function next(plan, ink) {
  if (plan.moves.length === 0)
    return plan.parts.length === 0
      ? []
      : part('NEXT', 'the application moves and routes the documents; see plan.parts', ink);
  const blockers = remarksOf(plan, 'blockers').length;
  if (blockers > 0) return afterBlockers(plan, blockers, ink);
  if (plan.worthIt === 'no')
    return part('NEXT', 'nothing to run: this split brings no benefit', ink);
  return [
    ...(plan.worthIt === 'unknown'
      ? part('NEXT', 'plan again under load; run it now only if you need the split anyway', ink)
      : [headed('NEXT', ink).trimEnd()]),
    ...callLines(
      [
        ['Keep', 'plan = tune.last'],
        ['Dry run', 'tune.split.run(plan)'],
        ['Run', 'tune.split.run(plan, { confirm: true })'],
        ['Way back', BACK],
        ['Or', BACK_LATER],
      ],
      ink,
    ),
  ];
}

/**
 * Where only some collections are blocked, a plan of the others.
 * @param {SplitPlan} plan
 * @param {number} count of the blockers
 * @param {Ink} ink
 */
function afterBlockers({ moves, blockers, from }, count, ink) {
  const free = moves.filter((move) => move.blockers.length === 0);
  const isPart = blockers.length === 0 && free.length > 0;
  const remove = `remove the ${count === 1 ? 'blocker' : 'blockers'}, then plan again`;
  if (!isPart) return part('NEXT', remove, ink);
  const collections = free.map(({ ns }) => ns.slice(from.length + 1));
  return [
    ...part('NEXT', `plan without what is blocked, or ${remove}`, ink),
    ...callLines([['Plan', callText('split.plan', { source: from, collections })]], ink),
  ];
}

module.exports = { next, remarksOf };
