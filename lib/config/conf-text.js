'use strict';

const { makeConf, startOf } = require('./mongod-conf');
const { printYaml } = require('../base/pure/yaml');

/**
 * @import { Change } from '../base/types'
 * @import { Config } from '../config/types'
 */

/**
 * The fragment of mongod.conf that makes a change survive a restart, as YAML.
 * @param {Change} change
 * @param {Config | null} config in effect; null when it is not known
 * @returns {string}
 */
function confText(change, config) {
  const { startup, runTime, version } = startOf(config);
  const { conf, notes } = makeConf({
    startup,
    runTime,
    config: /** @type {any} */ (config),
    change,
    version,
  });
  return printYaml(conf, [
    ...(startup === null
      ? ['Merge this into your mongod.conf.']
      : ['In mongod.conf, replace the same options with these.']),
    ...notes,
  ]);
}

module.exports = { confText };
