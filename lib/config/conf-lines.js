'use strict';

const { makeConf, startOf } = require('./mongod-conf');
const { printYaml } = require('../base/pure/yaml');

/**
 * @import { Conflict } from './thresholds'
 * @import { Change } from '../base/types'
 */

/**
 * @typedef {{ conf: string | null, why: string | null }} ConfText `why`: the reason why there are
 *   no lines
 */

/**
 * Prints the fragment of mongod.conf that makes a change survive a restart, as YAML.
 * @param {Change | null} change null: there is nothing to keep
 * @param {import('./types').Config | null} config the effective settings; null: not known
 * @returns {ConfText}
 */
function confText(change, config) {
  if (change === null) return { conf: null, why: null };
  const { startup, runTime, version } = startOf(config);
  const { conf, notes, conflict } = makeConf({
    startup,
    runTime,
    config: /** @type {any} */ (config),
    change,
    version,
  });
  if (conflict !== null) return { conf: null, why: noLines(conflict) };
  const hint =
    startup === null
      ? 'Merge this into your mongod.conf.'
      : 'In mongod.conf, replace the same options with these.';
  return { conf: printYaml(conf, [hint, ...notes]), why: null };
}

/** @param {Conflict} conflict */
const noLines = ({ say, settings }) =>
  `No mongod.conf lines can keep this over a restart: with them ${say}, and mongod does not start. ` +
  `tune.apply() of ${settings.join(' or ')} puts that right.`;

module.exports = { confText };
