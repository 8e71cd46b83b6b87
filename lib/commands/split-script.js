'use strict';

const { many } = require('../base/pure/units');
const { defineCommand } = require('../base/pure/command');
const { TuneError } = require('../base/pure/errors');
const { show } = require('../base/pure/options');
const { report } = require('../text/report');

/**
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 * @import { SplitPlan } from '../split/pure/types'
 */

module.exports = defineCommand({
  name: 'split.script',
  group: 'Split',
  order: 10,
  takes: ['change'],
  usage: 'tune.split.script(plan)',
  summary: 'Prints the plan as mongosh commands, to run by hand',
  examples: ['tune.split.script(plan)'],
  changes: 'nothing',
  run: splitScript,
});

/**
 * A plan as commands of mongosh with comments, to do it by hand. Nothing is sent.
 * @param {Context} _ctx
 * @param {SplitPlan} [plan] the answer of tune.split.plan()
 * @returns {{ script: string } & Report} prints as the script
 * @throws {TuneError} TUNE-10004 without a plan, TUNE-10002 for a value that is none, TUNE-35011
 *   for a plan with a blocker
 */
function splitScript(_ctx, plan) {
  if (plan === undefined)
    throw new TuneError(
      'TUNE-10004',
      'tune.split.script: the plan is missing. Make one: const plan = ' +
        'tune.split.plan({ source, target }).',
      { allowed: 'a plan' },
    );
  if (!isPlan(plan))
    throw new TuneError(
      'TUNE-10002',
      'tune.split.script: the argument must be a plan of tune.split.plan(), not ' +
        `${show(plan)}.`,
      { value: plan, allowed: 'a plan' },
    );
  if (plan.by !== null)
    throw new TuneError(
      'TUNE-10002',
      'tune.split.script: a plan with "by" is run by the application: it routes the ' +
        'documents. Its parts and bounds are in plan.parts.',
      { value: plan.by, allowed: 'a plan without "by"' },
    );
  if (plan.moves.length === 0)
    throw new TuneError('TUNE-10002', 'tune.split.script: the plan moves nothing.', {
      value: plan.id,
      allowed: 'a plan that moves something',
    });
  // The person who runs the script may not be the one who planned it.
  const blocked = [
    ...plan.blockers.filter(({ what }) => what !== 'privileges'),
    ...plan.moves.flatMap(({ blockers }) => blockers),
  ];
  if (blocked.length > 0)
    throw new TuneError(
      'TUNE-35011',
      `This plan has ${many(blocked.length, 'blocker')}, the first: ${blocked[0].say}`,
      { value: blocked },
    );
  const { scriptOf } = require('../split/pure/script');
  const script = scriptOf(plan);
  return report({ script }, () => script.trimEnd(), { verbatim: true });
}

/** Whether a value is the answer of tune.split.plan(). @param {any} plan */
const isPlan = (plan) =>
  plan !== null &&
  typeof plan === 'object' &&
  Array.isArray(plan.moves) &&
  Array.isArray(plan.blockers) &&
  typeof plan.id === 'string' &&
  plan.by !== undefined;
