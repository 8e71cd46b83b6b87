'use strict';

const { readLastString, readLog } = require('../server/engine-history');
const { collectFacts } = require('../server/facts');
const { settingsOf } = require('../config/change');
const { checkServer } = require('../change/check-server');
const { conflictWith } = require('../change/threshold-conflict');
const { hasLostSight } = require('../change/external-change');
const { hasAllSince } = require('../change/pure/log-reach');
const { externalIn, freshIn, inOrderOf, sortBySet } = require('../change/pure/external-lines');
const { setsSame } = require('../change/pure/later-changes');
const { externalSettingsOf, externalSentence, arrivalOf } = require('./pure/external-settings');
const { EarlyEnd } = require('./early-end');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { ChangeRun } from '../change/change-run'
 * @import { Change, SettingName } from '../base/types'
 * @import { OrderConflict } from '../change/threshold-conflict'
 * @import { ExternalString } from './pure/external-settings'
 * @import { TrialRun } from './trial-run'
 */

/**
 * Ends the trial where another session changes settings, or the member steps down or up.
 * @param {TrialRun} trial @throws {EarlyEnd}
 */
async function checkExternal(trial) {
  await refuseExternalChange(trial);
  const { role } = await collectFacts(trial.changeRun.ctx.port, { hardware: false });
  if (role !== trial.spec.role)
    throw new EarlyEnd(
      'disturbed',
      `The server was ${trial.spec.role} when the trial began and is ${role} now, so ` +
        'its load has changed.',
    );
}

/**
 * Refuses a call, just before it is sent, that would follow what another session set.
 * @param {TrialRun} trial @throws {EarlyEnd}
 */
async function refuseExternalChange(trial) {
  checkOvertaken(trial);
  const end = await externalEnd(trial);
  if (end !== null) throw end;
}

/**
 * Refuses a call that restores A, just before it is sent, where another session has set the same
 * settings: those are not overwritten.
 * @param {TrialRun} trial
 * @param {Change} going the settings to send
 * @throws {EarlyEnd}
 */
async function refuseKnownExternal(trial, going) {
  const fresh = await updateExternal(trial);
  refuseAll(trial);
  const conflict = conflictWith(trial.changeRun, going);
  if (conflict !== null)
    throw new EarlyEnd('disturbed', `${conflict.say}.`, { leavesExternal: true });
  if (settingsOf(going).some((setting) => trial.externalSettings[setting] !== undefined))
    throw new EarlyEnd('disturbed', externalSentence(fresh, trial.externalSettings), {
      leavesExternal: true,
    });
}

/** @param {TrialRun} trial @throws {EarlyEnd} where no call may be sent */
function refuseAll({ restoreFailure }) {
  if (restoreFailure?.force) throw notRestoredEnd(restoreFailure);
}

/** @param {{ say: string }} restoreFailure */
const notRestoredEnd = ({ say }) => new EarlyEnd('disturbed', say, { leavesExternal: true });

/**
 * Leaves those settings in effect whose restoration would contradict what other sessions set.
 * @param {TrialRun} trial @param {{ conflict: OrderConflict, left: SettingName[] }} what
 * @returns {EarlyEnd}
 */
function leaveConflict(trial, { conflict, left }) {
  const were = left.length === 1 ? 'was' : 'were';
  const say = `${conflict.say}: ${left.join(', ')} ${were} not restored.`;
  trial.stopsHalfWay();
  trial.noteRestoreFailure({ say, force: false, conflict, left });
  return notRestoredEnd({ say });
}

/**
 * @param {TrialRun} trial
 * @returns {Promise<EarlyEnd | null>} null: no other session has set anything since the last sample
 * @throws {TuneError} TUNE-20010 when another server answers, or the same one after a restart
 */
async function externalEnd(trial) {
  const fresh = await updateExternal(trial);
  if (trial.changeRun.mismatches.includes(UNREADABLE))
    return new EarlyEnd('disturbed', `From here on ${UNREADABLE}.`, { leavesExternal: false });
  if (fresh.length === 0) return null;
  const words = externalSentence(fresh, trial.externalSettings);
  return new EarlyEnd(
    'disturbed',
    trial.restoreFailure ? `${words} ${trial.restoreFailure.say}` : words,
    {
      leavesExternal:
        settingsOf(trial.externalSettings).length > 0 || trial.restoreFailure !== null,
    },
  );
}

/**
 * Collects the strings of other sessions: the last string shows who set last, the log who set
 * before.
 * @param {TrialRun} trial its `externalSettings` is updated
 * @returns {Promise<string[]>} the strings that other sessions have set since the last sample
 */
async function updateExternal(trial) {
  const { changeRun, spec } = trial;
  const { ctx, settings, sentCalls } = changeRun;
  const planned = settings.history.sets;
  const shown = await readLastString(ctx.port);
  const log = await readLog(ctx.port);
  if (hasLostSight(changeRun, { shown, log })) noteUnreadable(changeRun);
  const sets = log?.sets ?? [];
  const last = lastOfOthers(changeRun, shown);
  if (last.length > 0 && !hasAllSince(log, changeRun)) trial.noteRestoreFailure(FORGOTTEN);
  const logged = externalIn(sets, planned, sentCalls);
  const found = [...logged, ...last];
  const fresh = found.filter((one) => last.includes(one) || isNews(trial, one));
  if (fresh.length > 0) await checkServer(ctx, settings);
  noteArrived(trial, shown, freshIn(sets, planned));
  trial.setByOthers(externalSettingsOf(spec.B, found));
  const configs = [...new Set(fresh.map(({ config }) => config))];
  changeRun.noteExternal(configs);
  for (const one of fresh) markByLaterCalls(changeRun, one);
  noteOrder(changeRun, logged, last);
  return configs;
}

/** @param {ChangeRun} changeRun @param {ExternalString[]} logged @param {ExternalString[]} last */
function noteOrder(changeRun, logged, [last]) {
  sortBySet(changeRun.external, inOrderOf(logged, last?.config ?? null));
  if (last !== undefined) changeRun.noteActive(last.config);
}

/** @param {ChangeRun} changeRun @param {string | null} shown @returns {ExternalString[]} */
const lastOfOthers = (changeRun, shown) =>
  shown === null || isOurs(changeRun, shown) ? [] : [{ config: shown, later: [] }];

/** The words for a privilege that was revoked since the trial was planned. */
const UNREADABLE = 'what other sessions set cannot be read any more (getParameter, getLog)';

/** @param {ChangeRun} changeRun */
function noteUnreadable({ mismatches }) {
  if (!mismatches.includes(UNREADABLE)) mismatches.push(UNREADABLE);
}

/** An error: the last string hides the strings that were set before it. */
const FORGOTTEN = Object.freeze({
  say:
    "The server's log no longer covers all external changes, so the active settings " +
    'are unknown. Nothing more was sent.',
  force: true,
});

/**
 * Marks a string as followed by later calls: milliseconds pass between the check and the call, and
 * the answer has the last string only.
 * @param {ChangeRun} changeRun @param {ExternalString} found
 */
function markByLaterCalls({ external }, { config, later }) {
  for (const { values } of external)
    if (values.config === config) values.overwritten = setsSame(later.join(','), values.change);
}

/**
 * Says whether the trial sent the string: a call that was not answered may have arrived.
 * @param {ChangeRun} changeRun @param {string} shown
 */
const isOurs = ({ lastConfig, unansweredCall, lateCalls }, shown) =>
  lastConfig === null ||
  [lastConfig, unansweredCall?.step.config, ...lateCalls.map(({ step }) => step.config)].includes(
    shown,
  );

/** @param {TrialRun} trial @param {ExternalString} found */
const isNews = ({ changeRun, spec, externalSettings }, found) =>
  changeRun.external.every(({ values }) => values.config !== found.config) ||
  settingsOf(externalSettingsOf(spec.B, [found])).some(
    (setting) => externalSettings[setting] === undefined,
  );

/**
 * Notes a call that was given up and arrived nevertheless; where it came after a later call, it has
 * replaced that one.
 * @param {TrialRun} trial @param {string | null} shown @param {readonly { config: string }[]} fresh
 */
function noteArrived(trial, shown, fresh) {
  const { changeRun } = trial;
  for (const one of changeRun.lateCalls) {
    const { config } = one.step;
    const arrival = arrivalOf(
      fresh,
      changeRun.sentCalls.map((call) => call.config),
      config,
    );
    if (arrival === 'out' && shown !== config) continue;
    const isEffective = arrival !== 'before';
    changeRun.lateCallArrived(one, { isEffective, isLast: shown === config });
    if (isEffective) trial.noteLateCall();
  }
}

/**
 * Checks whether the server's answer to a call shows that another session set something after the
 * check.
 * @param {TrialRun} trial
 * @throws {EarlyEnd}
 */
function checkOvertaken({ changeRun, spec }) {
  const externalBeforeCall = changeRun.takeExternalBeforeCall();
  if (externalBeforeCall === null) return;
  throw new EarlyEnd(
    'disturbed',
    `Another session set "${externalBeforeCall}"` +
      `${setsSame(externalBeforeCall, spec.B) ? ', and a switch of the trial set the same a moment later' : ''}.`,
  );
}

module.exports = {
  checkExternal,
  refuseExternalChange,
  refuseAll,
  leaveConflict,
  refuseKnownExternal,
  externalEnd,
  checkOvertaken,
};
