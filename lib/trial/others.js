'use strict';

const { readLastString } = require('../server/engine-history');
const { collectFacts } = require('../server/facts');
const { knobsIn } = require('../config/settings');
const { knobsOf } = require('../config/change');
const { checkServer } = require('../change/work');
const { EarlyEnd } = require('./early-end');

/** @typedef {import('./experiment').Trial} Trial */

/**
 * Somebody who tunes at the same time, and a member that steps down or up, end the trial.
 * @param {Trial} trial @throws {EarlyEnd}
 */
async function checkOthers(trial) {
  const end = await othersEnd(trial);
  if (end !== null) throw end;
  const { role } = await collectFacts(trial.work.ctx.port, { hardware: false });
  if (role !== trial.spec.role)
    throw new EarlyEnd(
      'disturbed',
      `The server was ${trial.spec.role} when the trial began and is ${role} now, so its ` +
        'load is another one.',
    );
}

/**
 * @param {Trial} trial
 * @returns {Promise<EarlyEnd | null>} null: nobody else has set anything since our last call
 * @throws {import('../base/pure/errors').TuneError} TUNE-20010 when it is another server, or the same
 *   one after a restart
 */
async function othersEnd({ work: { ctx, last, onItsWay, settings }, spec }) {
  const now = await readLastString(ctx.port);
  // A call that was not answered may have arrived.
  if (now === null || last === null || now === last || now === onItsWay?.step.config) return null;
  await checkServer(ctx, settings);
  const same = touches(spec.B, now);
  return new EarlyEnd(
    'disturbed',
    `Somebody else set "${now}" meanwhile${same ? '; it stays as it is' : ''}.`,
    { stays: same },
  );
}

/**
 * What the server tells in its answer to a call of ours: somebody was there before it, after we had
 * looked.
 * @param {Trial} trial
 * @throws {EarlyEnd}
 */
function checkOvertaken({ work, spec }) {
  const { overtaken } = work;
  if (overtaken === null) return;
  work.overtaken = null;
  throw new EarlyEnd(
    'disturbed',
    `Somebody else set "${overtaken}" ` +
      `meanwhile${touches(spec.B, overtaken) ? ', and a switch of the trial set the same a moment later' : ''}.`,
  );
}

/** @param {import('../config/knobs').Change} change @param {string} config */
const touches = (change, config) =>
  knobsOf(knobsIn(config)).some((knob) => change[knob] !== undefined);

module.exports = { checkOthers, othersEnd, checkOvertaken };
