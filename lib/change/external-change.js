'use strict';

const { settingsIn } = require('../config/effective-config');
const { sets } = require('./pure/later-changes');
const { externalIn, inOrderOf, sortBySet } = require('./pure/external-lines');
const { hasAllSince, reachesBack } = require('./pure/log-reach');
const { readLastString, readLog } = require('../server/engine-history');
const { TuneError } = require('../base/pure/errors');
const { settingsOf } = require('../config/change');
const { checkServer } = require('./check-server');
const { conflictNow, conflictWith } = require('./threshold-conflict');
const { quoteConfig } = require('../config/engine-config');

/**
 * @import { Change } from '../base/types'
 * @import { Log } from '../server/engine-history'
 * @import { ChangeRun } from './change-run'
 * @import { Settings } from './types'
 */

/**
 * What another session set after a change was planned.
 * @typedef {{
 *   code: 'TUNE-30006', values: { config: string, change: Change, overwritten: boolean }
 * }} ExternalChange `change`: the settings in `config`; `overwritten`: a call of this change set
 *   one of them afterwards
 */

/** @param {string} config @returns {ExternalChange} */
const externalChange = (config) => ({
  code: 'TUNE-30006',
  values: { config, change: settingsIn(config), overwritten: false },
});

/** @param {readonly ExternalChange[]} external @param {Change} sent */
function markOverwritten(external, sent) {
  for (const { values } of external) if (sets(values.config, sent)) values.overwritten = true;
}

/**
 * Marks the external strings that the repair of a refusal overwrote; those whose values it repeats
 * stay active.
 * @param {readonly ExternalChange[]} external @param {string} config
 */
function markResent(external, config) {
  const sent = settingsIn(config);
  const others = external.filter(({ values: { change } }) =>
    settingsOf(change).some(
      (setting) => sent[setting] !== undefined && sent[setting] !== change[setting],
    ),
  );
  markOverwritten(others, sent);
}

/**
 * @param {readonly ExternalChange[]} external
 * @returns {Change} the settings that other sessions set and no call of this change overwrote
 */
const activeExternal = (external) =>
  Object.assign(
    {},
    ...external.filter(({ values }) => !values.overwritten).map(({ values }) => values.change),
  );

/**
 * Checks external changes just before a call: a setting of another session since the plan ends the
 * change, where it is or may be one of its own.
 * @param {ChangeRun} changeRun
 * @param {Change} going the settings to send, at least those of this call
 * @throws {TuneError} TUNE-30002, TUNE-30006
 */
async function refuseExternal(changeRun, going) {
  const { plan } = changeRun;
  await recordExternal(changeRun);
  refuseConflict(changeRun, going);
  const same = changeRun.external.filter(({ values }) => sets(values.config, plan.change));
  if (plan.force) return;
  if (same.length === 0) return refuseGap(changeRun);
  const texts = same.map(({ values }) => quoteConfig(values.config)).join(', then ');
  const over = same.some(({ values }) => values.overwritten)
    ? ', and a call of this change overwrote it'
    : '';
  const details = { value: same[0].values.config, externalChanges: changeRun.external };
  throw new TuneError(
    'TUNE-30006',
    `Another session set ${texts} since this change was planned${over}.`,
    details,
  );
}

/**
 * Records what another session has set since the plan, also where it was overwritten since.
 * @param {ChangeRun} changeRun
 */
async function recordExternal(changeRun) {
  const { shown, log } = await readSeen(changeRun);
  const { lastConfig } = changeRun;
  const isForeign = shown !== null && lastConfig !== null && shown !== lastConfig;
  const found = externalLines(changeRun, log);
  await noteOfThisServer(changeRun, inOrderOf(found, isForeign ? shown : null));
  markLater(changeRun, found);
  const newest = isForeign && changeRun.external.find(({ values }) => values.config === shown);
  if (newest) newest.values.overwritten = false;
  changeRun.noteLogGap(
    isForeign ? !hasAllSince(log, changeRun) : mayHide(changeRun, { shown, log }),
  );
}

/**
 * @param {ChangeRun} changeRun
 * @returns {Promise<{ shown: string | null, log: Log | null }>} the last string, read before the
 *   log
 * @throws {TuneError} TUNE-30006 where neither can be read any more
 */
async function readSeen(changeRun) {
  const { port } = changeRun.ctx;
  const shown = await readLastString(port);
  if (shown !== null) changeRun.noteShown(shown);
  const log = await readLog(port);
  if (hasLostSight(changeRun, { shown, log })) throw unreadable(changeRun);
  return { shown, log };
}

/**
 * Notes external strings of the planned server only: the driver may have switched to another one
 * since, or to the same one after a restart.
 * @param {ChangeRun} changeRun @param {readonly string[]} configs the strings of other sessions
 * @param {readonly string[]} [inOrder] all strings in their order, where `configs` are a part
 * @throws {TuneError} TUNE-20010
 */
async function noteOfThisServer(changeRun, configs, inOrder = configs) {
  if (configs.length > 0) await checkServer(changeRun.ctx, changeRun.settings);
  changeRun.noteExternal(configs);
  sortBySet(changeRun.external, inOrder);
}

/**
 * Returns the settings of the plan, with what other sessions set since.
 * @param {Pick<ChangeRun, 'settings' | 'external'>} changeRun
 */
const knownNow = ({ settings, external }) => ({ ...settings, external });

/**
 * Says whether external changes may be missing: the last string is not readable, and the log begins
 * after the plan.
 * @param {ChangeRun} changeRun @param {{ shown: string | null, log: Log | null }} seen
 */
const mayHide = (changeRun, { shown, log }) =>
  shown === null && log !== null && !reachesBack(log, changeRun);

/**
 * Says whether a privilege was revoked: the plan could read what other sessions set, and now
 * neither the last string nor the log can be read.
 * @param {ChangeRun} changeRun @param {{ shown: string | null, log: Log | null }} seen
 */
const hasLostSight = ({ settings: { history } }, { shown, log }) =>
  shown === null && log === null && history.lastString !== null;

/** @param {ChangeRun} changeRun */
const unreadable = ({ settings: { history } }) =>
  new TuneError(
    'TUNE-30006',
    'What other sessions set since this change was planned can no longer be read: this user lost ' +
      'the privileges getParameter and getLog on the cluster (role clusterMonitor).',
    { value: history.lastString },
  );

/** @param {ChangeRun} changeRun @throws {TuneError} TUNE-30006 */
function refuseGap({ hasLogGap, external }) {
  if (!hasLogGap) return;
  const last = external.at(-1)?.values.config;
  throw new TuneError(
    'TUNE-30006',
    `${last === undefined ? 'Another session may have set something' : `Another session set "${last}"`} ` +
      "since this change was planned, and the server's log does not cover all external changes.",
    { value: last, externalChanges: external },
  );
}

/**
 * Refuses a change whose thresholds contradict what another session set.
 * @param {ChangeRun} changeRun @param {Change} going the settings to send
 * @throws {TuneError} TUNE-30002
 */
function refuseConflict(changeRun, going) {
  const conflict = conflictWith(changeRun, going);
  if (conflict !== null) throw new TuneError('TUNE-30002', `${conflict.say}.`, { value: going });
}

/**
 * Reads the log for external changes after the last call: its answer has only the string before it.
 * @param {ChangeRun} changeRun
 */
async function checkAfterwards(changeRun) {
  await recordAfterwards(changeRun);
  noteReplaced(changeRun);
  const conflict = conflictNow(changeRun);
  if (conflict !== null) changeRun.noteMismatch(conflict.say);
}

/**
 * Notes the settings that another session set over an earlier call of this change, and no later
 * call set again.
 * @param {ChangeRun} changeRun
 */
function noteReplaced(changeRun) {
  const { plan, external } = changeRun;
  const replaced = activeExternal(external);
  for (const setting of settingsOf(plan.change))
    if (replaced[setting] !== undefined && replaced[setting] !== plan.change[setting])
      changeRun.noteMismatch(`another session has set ${setting} since`, [setting]);
}

/** @param {ChangeRun} changeRun */
async function recordAfterwards(changeRun) {
  try {
    const lines = externalLines(changeRun, await readLog(changeRun.ctx.port));
    // An external string after the last call is effective, and found later.
    const found = lines.filter(({ later }) => later.length > 0);
    await noteOfThisServer(changeRun, inOrderOf(found, null), inOrderOf(lines, null));
    markLater(changeRun, found);
  } catch (_lost) {
    // The change is made; an undo reads the log again.
  }
}

/** @param {ChangeRun} changeRun @param {readonly { config: string, later: string[] }[]} found */
function markLater({ external }, found) {
  for (const { config, later } of found) {
    const known = external.find(({ values }) => values.config === config);
    // The last set in the log counts: the same string may have been set again. The very string,
    // sent again after a refusal, overwrites nothing.
    const others = later.filter((own) => own !== config);
    if (known) known.values.overwritten = others.some((own) => sets(config, settingsIn(own)));
  }
}

/**
 * Lists what was set between two reads of the settings, before anything was sent.
 * @param {Settings} before @param {Settings} now
 * @returns {ExternalChange[]}
 */
function externalSince(
  { history: { sets: known, lastString: then } },
  { history: { sets: found, lastString } },
) {
  const logged = externalIn(found, known, []).map(({ config }) => config);
  const texts =
    lastString !== null && then !== null && lastString !== then ? [...logged, lastString] : logged;
  return [...new Set(texts)].map((config) => externalChange(config));
}

/**
 * @param {Settings} before
 * @param {Settings} now the settings now, of the same run
 * @returns {boolean} whether another session set something since, and the log does not show whether
 *   that was all
 */
function hasForgotten(before, { history }) {
  const last = before.history.lastString;
  const knownAtMs = before.readFromMs ?? -Infinity;
  return (
    last !== null &&
    history.lastString !== null &&
    history.lastString !== last &&
    !hasAllSince(history, { lastConfig: last, knownAtMs })
  );
}

/** @param {ChangeRun} changeRun @param {Log | null} log */
const externalLines = ({ settings, sentCalls }, log) =>
  log === null ? [] : externalIn(log.sets, settings.history.sets, sentCalls);

module.exports = {
  externalChange,
  markOverwritten,
  markResent,
  activeExternal,
  refuseExternal,
  refuseGap,
  recordExternal,
  recordAfterwards,
  knownNow,
  hasLostSight,
  checkAfterwards,
  externalSince,
  hasForgotten,
};
