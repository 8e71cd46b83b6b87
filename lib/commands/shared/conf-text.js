'use strict';

const { makeConf } = require('../../plan/conf');
const { printYaml } = require('../../yaml');
const { startOf } = require('../../model/config-origin');

/**
 * The fragment of mongod.conf that makes a change survive a restart, as YAML.
 * @param {import('../../model/knobs').Change} change
 * @param {import('../../model/facts').Config | null} config in force; null when it is not known
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
