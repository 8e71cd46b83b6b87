'use strict';

const { checkOptions } = require('../options');
const { report } = require('../render/report');
const { examine } = require('./shared/examine');

/**
 * The settings in force and where each comes from: this version's defaults, the start-up options,
 * the server's log, our journal.
 * @param {import('../context').Context} ctx
 * @param {{}} [options] none
 * @returns {Promise<import('../model/config').Config & { host: string | null, version: string |
 *   null, drift: import('../model/config').Drift[], notes: string[], complete: boolean } &
 *   import('../render/report').Report>} `complete`: nothing can have been set at run time that is
 *   not known here
 * @throws {import('../errors').TuneError} TUNE-1xxxx, TUNE-2xxxx
 */
async function config(ctx, options) {
  checkOptions('tune.config', {}, options);
  const { run, config: settings, drift, notes, complete } = (await examine(ctx)).settings;
  const data = { host: run.host, version: run.version, ...settings, drift, notes, complete };
  return report(data, (ink) => require('../render/config').renderConfig(data, ink));
}

module.exports = { config };
