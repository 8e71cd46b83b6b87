'use strict';

const { readLastString, readLog } = require('../server/engine-history');
const { collectFacts } = require('../server/facts');
const { knobsIn } = require('../config/settings');
const { knobsOf } = require('../config/change');
const { checkServer, noteExternal } = require('../change/work');
const { foreignIn, freshIn } = require('../change/external');
const { theirsOf, sayOthers, arrivalOf } = require('./pure/theirs');
const { EarlyEnd } = require('./early-end');

/** @typedef {import('./experiment').Trial} Trial */

/**
 * Somebody who tunes at the same time, and a member that steps down or up, end the trial.
 * @param {Trial} trial @throws {EarlyEnd}
 */
async function checkOthers(trial) {
  await refuseOthers(trial);
  const { role } = await collectFacts(trial.work.ctx.port, { hardware: false });
  if (role !== trial.spec.role)
    throw new EarlyEnd(
      'disturbed',
      `The server was ${trial.spec.role} when the trial began and is ${role} now, so its ` +
        'load is another one.',
    );
}

/**
 * Just before a call: none follows what another session set.
 * @param {Trial} trial @throws {EarlyEnd}
 */
async function refuseOthers(trial) {
  checkOvertaken(trial);
  const end = await othersEnd(trial);
  if (end !== null) throw end;
}

/**
 * Just before a call on the way back: what another session set of the same is not overwritten.
 * @param {Trial} trial
 * @param {import('../config/knobs').Change} going what is to be set
 * @throws {EarlyEnd}
 */
async function refuseTheirs(trial, going) {
  const fresh = await look(trial);
  if (knobsOf(going).some((knob) => trial.theirs[knob] !== undefined))
    throw new EarlyEnd('disturbed', sayOthers(fresh, trial.theirs), { stays: true });
}

/**
 * @param {Trial} trial
 * @returns {Promise<EarlyEnd | null>} null: nobody else has set anything since the last look
 * @throws {import('../base/pure/errors').TuneError} TUNE-20010 when it is another server, or the same
 *   one after a restart
 */
async function othersEnd(trial) {
  const fresh = await look(trial);
  if (fresh.length === 0) return null;
  return new EarlyEnd('disturbed', sayOthers(fresh, trial.theirs), {
    stays: knobsOf(trial.theirs).length > 0,
  });
}

/**
 * The last string tells who was there last, the log who was before.
 * @param {Trial} trial its `theirs` is brought up to date
 * @returns {Promise<string[]>} what others have set since the last look
 */
async function look(trial) {
  const { work, spec } = trial;
  const { ctx, settings, calls } = work;
  const planned = settings.history.sets;
  const shown = await readLastString(ctx.port);
  const sets = (await readLog(ctx.port))?.sets ?? [];
  /** @type {import('./pure/theirs').Foreign[]} */
  const last = shown === null || isOurs(work, shown) ? [] : [{ config: shown, later: [] }];
  const found = [...foreignIn(sets, planned, calls), ...last];
  const fresh = found.filter((one) => last.includes(one) || isNews(trial, one));
  if (fresh.length > 0) await checkServer(ctx, settings);
  noteArrived(trial, shown, freshIn(sets, planned));
  Object.assign(trial.theirs, theirsOf(spec.B, found));
  const configs = [...new Set(fresh.map(({ config }) => config))];
  noteExternal(work, configs);
  for (const one of fresh) markOverwritten(work, one);
  if (last.length > 0) work.last = shown;
  return configs;
}

/**
 * Between the look and the call there are milliseconds, and the answer tells the last string only.
 * @param {import('../change/work').Work} work @param {import('./pure/theirs').Foreign} found
 */
function markOverwritten({ external }, { config, later }) {
  for (const { values } of external)
    if (values.config === config) values.overwritten = touches(values.change, later.join(','));
}

/**
 * A call that was not answered may have arrived.
 * @param {import('../change/work').Work} work @param {string} shown
 */
const isOurs = ({ last, onItsWay, lost }, shown) =>
  last === null ||
  [last, onItsWay?.step.config, ...lost.map(({ step }) => step.config)].includes(shown);

/** @param {Trial} trial @param {import('./pure/theirs').Foreign} found */
const isNews = ({ work, spec, theirs }, found) =>
  work.external.every(({ values }) => values.config !== found.config) ||
  knobsOf(theirsOf(spec.B, [found])).some((knob) => theirs[knob] === undefined);

/**
 * A call that was given up, and came after all: after a later one it has taken its place.
 * @param {Trial} trial @param {string | null} shown @param {readonly { config: string }[]} fresh
 */
function noteArrived(trial, shown, fresh) {
  const { work } = trial;
  for (const one of work.lost) {
    const { config, change } = one.step;
    const arrival = arrivalOf(fresh, work.calls, config);
    if (arrival === 'out' && shown !== config) continue;
    work.lost = work.lost.filter((other) => other !== one);
    if (arrival === 'before') continue;
    Object.assign(work.sent, change);
    trial.landed = true;
    if (shown === config) work.last = shown;
  }
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

module.exports = { checkOthers, refuseOthers, refuseTheirs, othersEnd, checkOvertaken };
