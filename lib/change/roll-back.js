'use strict';

const { takeSample } = require('../server/sampler');
const { settingsOf, pick, showChange } = require('../config/change');
const { levelsOf } = require('./pure/levels');
const { makeSteps } = require('./pure/steps');
const { unlikeSteps } = require('./pure/unlike-steps');
const { isRefusal } = require('../base/server-errors');
const { TuneError } = require('../base/pure/errors');
const { configuredValues } = require('./plan-change');

/**
 * @import { Change } from '../base/types'
 * @import { ChangeRun } from './change-run'
 * @import { Step } from './pure/steps'
 */

/**
 * Where a later group is refused, the groups before it return to what they had, so that no change
 * is half made.
 * @param {ChangeRun} changeRun
 * @param {Error} error what ended the change
 * @param {(steps: Step[]) => Promise<boolean>} go sends them; whether all is read back as sent
 * @returns {Promise<Error>} what failed last: the error itself, or what kept the way back from
 *   being gone
 */
async function rollBack(changeRun, error, go) {
  const { plan, settings, sent, ctx } = changeRun;
  if (!isRefusal(error) || settingsOf(sent).length === 0) return error;
  const back = pick(plan.before, settingsOf(sent));
  const unknown = settingsOf(sent).filter((setting) => back[setting] === undefined);
  try {
    const { counters } = await takeSample(ctx.port);
    const steps = makeSteps({ ...configuredValues(settings), ...sent }, back, levelsOf(counters));
    const isVerified = await go(unlikeSteps(steps, settings, sent));
    forgetBack(changeRun, back);
    if (unknown.length > 0) {
      throw new TuneError('TUNE-30005', `The value before is not known of ${unknown.join(', ')}.`, {
        value: unknown,
      });
    }
    const doubt = isVerified ? '' : ', but does not read back so';
    const words = `What had been set before it was rolled back: ${showChange(back)}${doubt}.`;
    Object.assign(error, { message: `${error.message} ${words}`, rolledBack: back });
    return error;
  } catch (cause) {
    const failure = /** @type {Error} */ (cause);
    const words = `What had been set before it could not be rolled back: ${failure.message}`;
    Object.assign(error, { message: `${error.message} ${words}`, rolledBack: null });
    return failure;
  }
}

/**
 * What is as it was before is no part of the change any more.
 * @param {ChangeRun} changeRun @param {Change} back
 */
function forgetBack({ sent }, back) {
  for (const setting of settingsOf(sent)) if (sent[setting] === back[setting]) delete sent[setting];
}

module.exports = { rollBack, forgetBack };
