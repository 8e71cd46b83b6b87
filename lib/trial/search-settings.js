'use strict';

const { configuredValues } = require('../change/plan-change');
const { sameRun } = require('../change/pure/journal');
const { settingsOf, pick } = require('../config/change');
const { confText } = require('../config/conf-lines');
const { isBeforeSettings } = require('../diagnose/cause');
const { diagnose } = require('../diagnose/diagnose');
const { observe } = require('../observe/observe');
const { collectSettings, settingsAfter } = require('../observe/settings');
const { loadRules } = require('../rules/registry');
const { MIN_THREADS } = require('../signals/clients');
const { refuseOpen } = require('./plan');
const { dimensionsFor } = require('./pure/candidates');
const { searchOne } = require('./search');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Change, Context, SettingName } from '../base/types'
 * @import { Raw } from '../config/thresholds'
 * @import { Bottleneck } from '../base/pure/finding'
 * @import { Diagnosis } from '../diagnose/diagnose'
 * @import { Part } from '../signals/accounting'
 * @import { Dimension } from './pure/candidates'
 * @import { Search } from './types'
 */

/**
 * Finds the bottleneck, and the settings that are its mechanism.
 * @param {Context} ctx
 * @param {{ seconds: number, settings?: SettingName | SettingName[] }} wanted
 */
async function examineFirst(ctx, { seconds, settings }) {
  const observation = await observe(ctx, { seconds, dataBytes: true });
  const { facts } = observation;
  const verdict = diagnose(observation, { engine: loadRules() });
  const current = await collectSettings(ctx, facts);
  refuseOpen(current);
  // A search would end at a setting that hides the query until the data grows.
  const isQueryFirst = settings === undefined && isBeforeSettings(verdict.cause);
  const dimensions = isQueryFirst
    ? []
    : dimensionsFor(searchedFor(verdict), {
        raw: configuredValues(current),
        memoryBytes: current.memoryBytes,
        cores: facts.cores,
        diagnosed: verdict.change,
        ...(settings && { settings: [settings].flat() }),
      });
  return { facts, verdict, current, dimensions };
}

/** The mechanisms that a search can try, by what threads wait for. */
const MECHANISM_OF = Object.freeze(
  /** @type {{ [part in Part]?: Bottleneck }} */ ({
    reading: 'cache-read',
    eviction: 'cache-dirty',
  }),
);

/**
 * Returns the bottleneck that the verdict names, or else the one that most threads wait for by the
 * accounting.
 * @param {Pick<Diagnosis, 'bottleneck' | 'accounting'>} verdict
 * @returns {Bottleneck}
 */
function searchedFor({ bottleneck, accounting }) {
  if (!UNNAMED.has(bottleneck) || accounting === null) return bottleneck;
  const { threads, parts } = accounting;
  const first = parts.find(({ what }) => MECHANISM_OF[what] !== undefined);
  return first !== undefined && first.threads >= MIN_THREADS && first.threads >= threads * MIN_SHARE
    ? /** @type {Bottleneck} */ (MECHANISM_OF[first.what])
    : bottleneck;
}

/** Verdicts that name no mechanism which a setting changes. */
const UNNAMED = new Set(['none', 'unknown', 'concurrency', 'cpu']);
const MIN_SHARE = 0.1;

/**
 * Searches all dimensions; an error does not hide the results before it, above all what was kept.
 * @param {Context} ctx
 * @param {Search} search
 * @param {Dimension[]} dimensions
 */
async function searchAll(ctx, search, dimensions) {
  try {
    for (const dimension of dimensions)
      if (search.ended === null) await searchOne(ctx, search, dimension);
    search.ended ??= 'complete';
  } catch (error) {
    if (search.path.length === 0) throw error;
    const { code, message, undo } = /** @type {TuneError & { undo?: string | null }} */ (error);
    const ended = code === 'TUNE-20010' ? 'gone' : 'failed';
    Object.assign(search, { ended, endedBecause: message, undoOfLast: undo ?? null });
  }
}

/**
 * Reports what the search has kept, how to keep it over a restart, and how to undo it, with what a
 * trial may have left in effect.
 * @param {Context} ctx
 * @param {Search} search
 * @returns {Promise<{
 *   change: Change | null, effective: Change | null, conf: string | null, undo: string[],
 *   confBecause?: string
 * }>} `effective`: the part of `change` that is in effect, null where that is not known;
 *   `confBecause`: why there is no `conf`
 */
async function whatStays(ctx, { path, facts, settingsBefore, undoOfLast = null }) {
  const undo = [
    ...path.flatMap((step) => step.undo ?? []),
    ...(undoOfLast ? [undoOfLast] : []),
  ].reverse();
  const kept = path.filter((step) => step.kept);
  if (kept.length === 0) return { change: null, effective: null, conf: null, undo };
  const change = Object.assign({}, ...kept.map((step) => step.change));
  const settings = await settingsAfter(ctx, facts);
  if (settings === null || !sameRun(settings.run, settingsBefore.run))
    return { change, effective: null, conf: null, undo };
  const { conf, why } = confText(change, settings.config);
  const effective = effectiveOf(change, configuredValues(settings));
  return { change, effective, conf, undo, ...(why && { confBecause: why }) };
}

/**
 * Returns the part of a change that is in effect: another session may have set the same since.
 * @param {Change} change @param {Raw} now
 * @returns {Change | null}
 */
function effectiveOf(change, now) {
  const settings = settingsOf(change);
  if (settings.some((setting) => typeof now[setting] !== 'number')) return null;
  return pick(
    change,
    settings.filter((setting) => now[setting] === change[setting]),
  );
}

module.exports = { searchedFor, examineFirst, searchAll, whatStays };
