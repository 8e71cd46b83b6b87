'use strict';

const { parseYaml } = require('../../base/pure/yaml');
const { lintConf } = require('./lint-conf');
const { lintString } = require('./lint-string');
const { error, warning } = require('./problem');
const { FIRST_RELEASE, LAST_RELEASE, knowsLine } = require('../engine-keys');
const { compareVersions } = require('../../base/pure/version');

/**
 * @import { Problem } from './problem'
 */

/** The first option of a mongod.conf, whose name is no key of WiredTiger. */
const LOOKS_LIKE_YAML =
  /^\s*(---|(systemLog|processManagement|cloud|net|security|setParameter|storage|operationProfiling|replication|sharding|auditLog)\s*:\s*($|#|\{))/m;

/**
 * Decides whether a text is a configuration string or the content of a mongod.conf.
 * @param {string} content
 * @returns {'string' | 'file'}
 */
const kindOf = (content) => (LOOKS_LIKE_YAML.test(content) ? 'file' : 'string');

/**
 * Checks a configuration string or a mongod.conf.
 * @param {string} content
 * @param {'string' | 'file'} kind
 * @param {{
 *   version: string, at: 'runtime' | 'start', memoryBytes: number | null,
 *   base: any
 * }} server `base`: the settings that the string would be added to; null: not known
 * @returns {Problem[]}
 */
function lintText(content, kind, { at, base, ...server }) {
  const problems =
    kind === 'file'
      ? lintFile(content, server)
      : lintString(content, {
          ...server,
          at,
          base: base !== null && at === 'runtime' ? base : undefined,
        });
  return [...checkRelease(server.version), ...problems];
}

/**
 * Checks the text of a mongod.conf.
 * @param {string} content
 * @param {{ version: string, memoryBytes: number | null }} server
 * @returns {Problem[]}
 */
function lintFile(content, server) {
  const { value, faults, positionOf } = parseYaml(content);
  return [
    ...faults.map(({ say, position }) =>
      error(
        null,
        position,
        `This is not reliable YAML: ${say}`,
        'Indent with spaces, and give each option once.',
        'start',
      ),
    ),
    ...lintConf({ value, positionOf, ...server }),
  ];
}

/** `8.0`, `8.0.10`, `8.0.0-rc18`, `6.0.5-4` */
const RELEASE = /^\d+\.\d+(\.\d+)?(-[\w.-]+)?$/;

/**
 * @param {string} version
 * @returns {Problem[]} a warning where the table has no release of its line
 */
function checkRelease(version) {
  if (knowsLine(version)) return [];
  const todo = `Give a release from ${FIRST_RELEASE} to ${LAST_RELEASE}, or test it on a test server.`;
  if (compareVersions(version, FIRST_RELEASE) < 0)
    return [
      warning(
        null,
        null,
        `MongoDB ${version} is too old for tune.lint (${FIRST_RELEASE} and later): checked as ` +
          `${FIRST_RELEASE}`,
        todo,
      ),
    ];
  const say =
    compareVersions(version, LAST_RELEASE) > 0
      ? `MongoDB ${version} is newer than the releases of tune.lint`
      : `MongoDB ${version} is not a release of tune.lint`;
  return [warning(null, null, `${say}: checked as the nearest earlier release`, todo)];
}

module.exports = { kindOf, lintText, checkRelease, RELEASE };
