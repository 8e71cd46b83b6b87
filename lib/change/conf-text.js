'use strict';

const { makeConf } = require('../config/mongod-conf');
const { printYaml } = require('../base/yaml');
const { startOf } = require('../config/origin');

/**
 * The fragment of mongod.conf that makes a change survive a restart, as YAML.
 * @param {import('../config/setting-table').Change} change
 * @param {import('../server/pure/facts').Config | null} config in force; null when it is not known
 * @returns {string}
 */
function confText(change, config) {
  const { startup, runTime } = startOf(config);
  const { conf, notes } = makeConf({
    startup,
    runTime,
    config: /** @type {any} */ (config),
    change,
  });
  return printYaml(conf, [
    ...(startup === null
      ? ['Merge this with what your mongod.conf has.']
      : ['In mongod.conf, in place of the same options there.']),
    ...notes,
  ]);
}

module.exports = { confText };
