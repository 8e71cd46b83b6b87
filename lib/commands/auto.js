'use strict';

const { callText } = require('../base/pure/printable');
const { defineCommand, confirmOption } = require('../base/pure/command');
const { number, oneOf } = require('../base/pure/options');
const { SEARCHED } = require('../trial/pure/candidates');
const { TRIAL_METRIC_NAMES } = require('../trial/pure/figures');
const { report } = require('../text/report');
const { guardrailOption } = require('../trial/pure/guardrail');
const { examineFirst, searchAll, whatStays } = require('../trial/search-settings');
const { VENDOR } = require('../change/pure/risks');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Option } from '../base/pure/options'
 * @import { SettingName, Context } from '../base/types'
 * @import { Report } from '../text/report'
 * @import { Limits } from '../trial/pure/guardrail'
 * @import { TrialMetric } from '../trial/pure/figures'
 * @import { Search } from '../trial/types'
 * @import { AutoData } from './types'
 */

/** Three candidates of one kind, with their halving and the final trial, take 5 to 10 minutes. */
const MINUTES = 15;

module.exports = defineCommand({
  name: 'auto',
  group: 'Test',
  order: 2,
  takes: ['options'],
  usage: 'tune.auto({ minutes, settings, … })',
  summary: 'Searches for better settings by A/B tests',
  details: 'It tests only settings that affect the bottleneck, and ends at the best proven one',
  options: {
    minutes: {
      check: number({ min: 1, max: 24 * 60 }),
      default: MINUTES,
      description: 'maximum duration',
    },
    seconds: {
      check: number({ min: 0.1, max: 3600 }),
      default: 10,
      description: 'length of the first sample',
    },
    settings: {
      check: settingList(),
      defaultText: 'those that affect the bottleneck',
      description: 'settings that may be tested',
    },
    confirm: confirmOption('a DRY RUN shows what would be sent'),
    metric: {
      check: oneOf(TRIAL_METRIC_NAMES),
      default: 'opsPerSec',
      description: 'as in tune.trial',
    },
    guardrail: { check: guardrailOption(), description: 'as in tune.trial' },
  },
  examples: [
    'tune.auto({ seconds: 10 })',
    'tune.auto({ minutes: 20, seconds: 10, settings: ["cacheSizeGB"], confirm: true })',
    'tune auto --seconds 10 --confirm',
  ],
  changes: 'settings',
  onMongos: 'connect to the primary of the shard that is slow: a search is about one cache',
  risks: [
    VENDOR,
    'It runs trials, each with the risks of tune.trial(), until the time limit.',
    'The best proven setting stays active at the end.',
  ],
  run: auto,
});

/**
 * Searches for better settings by trials under the load that is there: the kinds of settings that
 * are the mechanism of the bottleneck, one after the other. It ends at the best that a full trial
 * has proven, or where it began. Without `confirm` it shows what it would try.
 * @param {Context} ctx
 * @param {{
 *   minutes: number, seconds: number, settings?: SettingName | SettingName[], confirm: boolean,
 *   metric: TrialMetric, guardrail?: Partial<Limits>
 * }} options
 * @param {Record<string, unknown>} given the options as they were given
 * @returns {Promise<AutoData & Report>} `ended: 'refused'` where no
 *   setting is the mechanism of what holds the server back, or a query comes before settings
 * @throws {TuneError} TUNE-1xxxx, TUNE-2xxxx, TUNE-30010
 */
async function auto(ctx, { confirm, guardrail = {}, ...wanted }, given) {
  ctx.call?.judgePart('trial');
  const started = performance.now();
  const known = await examineFirst(ctx, wanted);
  /** @type {Search} */
  const search = {
    facts: known.facts,
    settingsBefore: known.current,
    metric: wanted.metric,
    guardrail,
    endsAtMs: started + wanted.minutes * 60_000,
    path: [],
    ended: known.dimensions.length === 0 ? 'refused' : null,
    endedBecause: null,
  };
  if (confirm) await searchAll(ctx, search, known.dimensions);
  const seconds = (performance.now() - started) / 1000;
  const { bottleneck, because, cause, remedy } = known.verdict;
  const shown = known.dimensions.length > 0 && !confirm;
  const data = {
    at: new Date(),
    host: known.facts.host,
    dryRun: !confirm,
    bottleneck,
    because,
    cause,
    remedy,
    minutes: wanted.minutes,
    seconds,
    metric: wanted.metric,
    dimensions: known.dimensions,
    path: search.path,
    ended: search.ended,
    endedBecause: search.endedBecause,
    ...(await whatStays(ctx, search)),
    confirm: shown ? callText('auto', { ...given, confirm: true }) : null,
  };
  return report(data, (ink) => require('../trial/pure/search-text').renderAuto(data, ink));
}

/** Makes the option that names the settings to try. @returns {Option} */
function settingList() {
  return {
    allowed: `a list of settings: ${SEARCHED.join(', ')}`,
    schema: (v) =>
      v.union([v.picklist(SEARCHED), v.pipe(v.array(v.picklist(SEARCHED)), v.minLength(1))]),
  };
}
