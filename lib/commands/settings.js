'use strict';

const { defineCommand } = require('../base/pure/command');
const { stringsSet } = require('../change/pure/timeline');
const { otherKeysOf } = require('../config/engine-config');
const { report } = require('../text/report');
const { readFactsAndSettings } = require('../observe/settings');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Config, Drift } from '../config/effective-config'
 * @import { OtherKey } from '../config/engine-config'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 */

module.exports = defineCommand({
  name: 'settings',
  group: 'Look',
  order: 3,
  takes: [],
  usage: 'tune.settings()',
  summary: 'Shows the active settings, and the origin of each',
  examples: ['tune.settings()', 'tune settings'],
  changes: 'nothing',
  onMongos: 'tune.members() shows the settings of each member, and which differ',
  run: settings,
});

/**
 * The settings in effect and where each comes from: this version's defaults, the start-up options,
 * the server's log, our journal.
 * @param {Context} ctx
 * @returns {Promise<Config & { host: string | null, version: string |
 *   null, others: OtherKey[], drift: Drift[], notes: string[], complete: boolean } &
 *   Report>} `others`: keys that are no settings of tune; `complete`: nothing can have been set at run time that is
 *   not known here
 * @throws {TuneError} TUNE-1xxxx, TUNE-2xxxx
 */
async function settings(ctx) {
  const { run, config, drift, notes, complete, history, timeline } = (
    await readFactsAndSettings(ctx)
  ).settings;
  const others = otherKeysOf(history.engineConfig?.configString ?? null, stringsSet(timeline));
  const data = { host: run.host, version: run.version, ...config, others, drift, notes, complete };
  return report(data, (ink) => require('../change/pure/settings-text').renderConfig(data, ink));
}
