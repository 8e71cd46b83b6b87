'use strict';

const { readLastString, readLog } = require('../server/engine-history');
const { sets } = require('./pure/external-changes');
const { TuneError } = require('../base/pure/errors');
const { externalChange, foreignIn } = require('./external-change');
const { noteExternal } = require('./change-run');
const { conflictsOf } = require('../config/conflicts');
const { pick, settingsOf } = require('../config/change');
const { rawOf } = require('./plan-change');

/**
 * @import { Change } from '../config/setting-table'
 * @import { Settings } from '../observe/settings'
 * @import { Log } from '../server/engine-history'
 * @import { Work } from './change-run'
 * @import { ExternalChange } from './external-change'
 */

/**
 * Just before a call: what another session set since the plan ends the change, where it is or may
 * be the same setting.
 * @param {Work} work
 * @throws {TuneError} TUNE-30002, TUNE-30006
 */
async function refuseExternal(work) {
  const { plan } = work;
  await recordExternal(work);
  refuseDisorder(work);
  const same = work.external.filter(({ values }) => sets(values.config, plan.change));
  if (plan.force) return;
  if (same.length === 0) return refuseGap(work);
  const texts = same.map(({ values }) => `"${values.config}"`).join(', then ');
  const over = same.some(({ values }) => values.overwritten)
    ? ', and a call of this change overwrote it'
    : '';
  const details = { value: same[0].values.config, externalChanges: work.external };
  throw new TuneError(
    'TUNE-30006',
    `Another session set ${texts} since this change was planned${over}.`,
    details,
  );
}

/**
 * What another session has set since the plan, also where it was overwritten since.
 * @param {Work} work
 */
async function recordExternal(work) {
  const { ctx, last } = work;
  const shown = await readLastString(ctx.port);
  const isForeign = shown !== null && last !== null && shown !== last;
  const log = await readLog(ctx.port);
  const found = foreignOf(work, log);
  noteExternal(work, [...found.map(({ config }) => config), ...(isForeign ? [shown] : [])]);
  markLater(work, found);
  work.gap = isForeign && !reachesBack(log, work);
}

/** @param {Work} work @throws {TuneError} TUNE-30006 */
function refuseGap({ gap, external }) {
  if (!gap) return;
  const last = external.at(-1)?.values.config;
  throw new TuneError(
    'TUNE-30006',
    `Another session set "${last}" since this change was planned, and the server's log does not ` +
      'tell whether it set more than that.',
    { value: last, externalChanges: external },
  );
}

/**
 * What others set beside a change may turn the order round in which its own values are right.
 * @param {Work} work
 * @throws {TuneError} TUNE-30002
 */
function refuseDisorder(work) {
  const { plan, sent, isWayBack } = work;
  const going = isWayBack ? pick(plan.before, settingsOf(sent)) : plan.change;
  const say = disorderWith(work, going);
  if (say !== null) throw new TuneError('TUNE-30002', `${say}.`, { value: going });
}

/**
 * @param {Pick<Work, 'settings' | 'external' | 'sent'>} work
 * @param {Change} going what is to be set
 * @returns {string | null} what of it is in a wrong order with what others set meanwhile
 */
function disorderWith({ settings, external, sent }, going) {
  if (external.length === 0) return null;
  const foreign = Object.assign({}, ...external.map(({ values }) => values.change));
  const found = conflictsOf({ ...rawOf(settings), ...foreign, ...sent, ...going }).find(
    ({ kind, settings: both }) =>
      kind === 'order' &&
      both.some((setting) => going[setting] !== undefined) &&
      both.some((setting) => foreign[setting] !== undefined),
  );
  const texts = external.map(({ values }) => `"${values.config}"`).join(', then ');
  return found ? `With ${texts}, which another session set meanwhile, ${found.say}` : null;
}

/**
 * @param {Log | null} log null: it may not be read
 * @param {Pick<Work, 'last' | 'knownAtMs'>} work
 * @returns {boolean} whether all that was set since we knew the last string is in the log
 */
const reachesBack = (log, { last, knownAtMs }) =>
  log !== null &&
  (log.logWhole ||
    (log.logFromMs !== null && log.logFromMs < knownAtMs) ||
    log.sets.some(({ config, ok }) => ok && config === last));

/**
 * After the last call: the answer to a call tells only the last string before it, the log tells
 * what that hides.
 * @param {Work} work
 */
async function checkAfterwards(work) {
  await recordAfterwards(work);
  const say = disorderWith(work, work.plan.change);
  if (say !== null) work.mismatches.push(say);
}

/** @param {Work} work */
async function recordAfterwards(work) {
  try {
    // What came after the last call is in force, and found whenever somebody looks.
    const found = foreignOf(work, await readLog(work.ctx.port)).filter(
      ({ later }) => later.length > 0,
    );
    noteExternal(
      work,
      found.map(({ config }) => config),
    );
    markLater(work, found);
  } catch (_lost) {
    // The change is done; whoever undoes it looks at the log again.
  }
}

/** @param {Work} work @param {readonly { config: string, later: string[] }[]} found */
function markLater({ external }, found) {
  for (const { config, later } of found) {
    const known = external.find(({ values }) => values.config === config);
    if (known && later.some((own) => sets(own, known.values.change)))
      known.values.overwritten = true;
  }
}

/**
 * What was set between two looks at the settings of a server, before anything was sent.
 * @param {Settings} before @param {Settings} now
 * @returns {ExternalChange[]}
 */
function externalSince(
  { history: { sets: known, lastString: then } },
  { history: { sets: found, lastString } },
) {
  const logged = foreignIn(found, known, []).map(({ config }) => config);
  const texts =
    lastString !== null && then !== null && lastString !== then ? [...logged, lastString] : logged;
  return [...new Set(texts)].map((config) => externalChange(config));
}

/**
 * @param {Settings} before
 * @param {Settings} now of the same run
 * @returns {boolean} whether another session set something since, and the log does not tell whether
 *   that was all
 */
function hasForgotten(before, { history }) {
  const last = before.history.lastString;
  const knownAtMs = before.readAtMs ?? -Infinity;
  return (
    last !== null &&
    history.lastString !== null &&
    history.lastString !== last &&
    !reachesBack(history, { last, knownAtMs })
  );
}

/** @param {Work} work @param {Log | null} log */
const foreignOf = ({ settings, calls }, log) =>
  log === null ? [] : foreignIn(log.sets, settings.history.sets, calls);

module.exports = {
  refuseExternal,
  refuseGap,
  recordExternal,
  checkAfterwards,
  externalSince,
  reachesBack,
  hasForgotten,
  disorderWith,
};
