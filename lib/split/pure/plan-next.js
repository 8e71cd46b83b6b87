'use strict';

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
  if (blockers > 0)
    return part(
      'NEXT',
      `remove the ${blockers === 1 ? 'blocker' : 'blockers'}, then plan again`,
      ink,
    );
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

module.exports = { next, remarksOf };
