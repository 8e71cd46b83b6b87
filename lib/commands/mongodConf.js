'use strict';

const { defineCommand } = require('../base/pure/command');
const { SETTING_NAMES } = require('../config/setting-table');
const { checkChange, checkForm, settingsOf, showValue } = require('../config/change');
const { cautionsFor } = require('../config/safety');
const { makeConf, startOf } = require('../config/mongod-conf');
const { printYaml } = require('../base/pure/yaml');
const { TuneError } = require('../base/pure/errors');
const { report } = require('../text/report');
const { readFactsAndSettings } = require('../observe/settings');
const { configuredValues } = require('../change/plan-change');

/**
 * @import { Conf } from '../config/mongod-conf'
 * @import { SettingName, Change, Context } from '../base/types'
 * @import { Report } from '../text/report'
 * @import { Settings } from '../change/types'
 */

module.exports = defineCommand({
  name: 'mongodConf',
  group: 'Change',
  order: 6,
  takes: ['change'],
  usage: 'tune.mongodConf(change)',
  summary: 'Prints the mongod.conf lines that make settings last',
  examples: [
    'tune.mongodConf()',
    'tune.mongodConf({ cacheSizeGB: 0.5 })',
    'tune mongodConf --cacheSizeGB 0.5',
  ],
  changes: 'nothing',
  onMongos: 'connect to a member of the shard: each has its own mongod.conf',
  run: mongodConf,
});

/**
 * @typedef {{ setting: SettingName, value: number, afterRestart: number | null }}
 *   Lost
 */

/**
 * The fragment of mongod.conf that keeps the settings over a restart: those in effect, or with a
 * change that is planned.
 * @param {Context} ctx
 * @param {Change | { change: Change | null }} [change] a change, or an advice
 * @returns {Promise<{ yaml: string, conf: Conf, lostAtRestart: Lost[],
 *   notes: string[] } & Report>}
 * @throws {TuneError} TUNE-1xxxx, TUNE-2xxxx; TUNE-30002 when mongod would not start with it
 */
async function mongodConf(ctx, change) {
  const given =
    change && typeof change === 'object' && 'change' in change
      ? (change.change ?? undefined)
      : change;
  if (given !== undefined) checkForm(given);
  const { settings } = await readFactsAndSettings(ctx);
  const asked = given === undefined ? {} : checkChange(given, settings.run.version);
  const made = makeConf({ ...startOf(settings.config), config: settings.config, change: asked });
  if (made.conflict !== null)
    throw new TuneError('TUNE-30002', `A mongod does not start with this: ${made.conflict.say}.`, {
      value: asked,
      settings: made.conflict.settings,
    });
  const lostAtRestart = lost(settings, asked);
  const kept = {
    ...asked,
    ...Object.fromEntries(lostAtRestart.map(({ setting, value }) => [setting, value])),
  };
  const cautions = cautionsFor(
    { ...configuredValues(settings), ...kept },
    settingsOf(kept),
    settings.memoryBytes,
  );
  const notes = [
    ...cautions.map(({ say, todo }) => `${say}. ${todo}`),
    ...made.notes,
    ...settings.notes,
  ];
  const yaml = printYaml(made.conf, comments(settings, lostAtRestart, notes));
  return report({ yaml, conf: made.conf, lostAtRestart, notes }, () => yaml.trimEnd());
}

/**
 * Finds the settings that a restart would revert.
 * @param {Settings} settings
 * @param {Change} asked
 * @returns {Lost[]} the settings that a restart without the fragment reverts
 */
function lost({ config, startValues }, asked) {
  return SETTING_NAMES.flatMap((setting) => {
    const value = asked[setting] ?? (config[setting].sinceRestart ? config[setting].set : null);
    const afterRestart = startValues?.[setting] ?? null;
    return value === null || value === afterRestart ? [] : [{ setting, value, afterRestart }];
  });
}

/**
 * Makes the comments above the fragment of mongod.conf.
 * @param {Settings} settings
 * @param {readonly Lost[]} lostAtRestart
 * @param {readonly string[]} notes
 */
function comments({ run, history, config }, lostAtRestart, notes) {
  const planned = (/** @type {Lost} */ { setting, value }) => config[setting].set !== value;
  return [
    `For ${run.host}, MongoDB ${run.version}: ${placeWords(config, history)}. It takes ` +
      'effect at the next restart.',
    ...lostAtRestart.map((one) =>
      planned(one) ? proposed(one, config[one.setting].set) : activeNow(one),
    ),
    ...(SETTING_NAMES.some(
      (setting) => config[setting].sinceRestart || config[setting].from === 'unknown',
    )
      ? []
      : ['Nothing was changed at run time: a restart loses nothing.']),
    ...notes,
  ];
}

/**
 * Says where the fragment goes: lines that lack unknown options must not replace these.
 * @param {Settings['config']} config @param {Settings['history']} history
 */
function placeWords(config, { configFile }) {
  const file = configFile ?? 'mongod.conf';
  return startOf(config).startup === null
    ? `merge it into ${file}`
    : `write it into ${file}, in place of the same options`;
}

/** Describes a setting that is active and not in the file. @param {Lost} lost */
const activeNow = ({ setting, value, afterRestart }) =>
  `Without these lines a restart sets ${setting} from ${showValue(setting, value)} to ` +
  `${afterRestart === null ? 'its value at start' : showValue(setting, afterRestart)}.`;

/** Describes a setting that is only proposed. @param {Lost} lost @param {number | null} now */
const proposed = ({ setting, value, afterRestart }, now) =>
  `Proposed: ${setting} ${showValue(setting, value)} from the next restart; without ` +
  'these lines ' +
  `${afterRestart === null ? 'the value before' : showValue(setting, afterRestart)}; ` +
  'active now: ' +
  `${now === null ? 'an unknown value' : showValue(setting, now)}.`;
