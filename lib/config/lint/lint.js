'use strict';

const { parseYaml } = require('../../base/pure/yaml');
const { checkRelease } = require('./check-release');
const { lintConf } = require('./lint-conf');
const { lintString } = require('./lint-string');
const { error } = require('./problem');

/**
 * @import { Problem } from './problem'
 */

/** The first option of a mongod.conf; WiredTiger has no such keys. */
const LOOKS_LIKE_YAML =
  /^\s*(---|(systemLog|processManagement|cloud|net|security|setParameter|storage|operationProfiling|replication|sharding|auditLog)\s*:\s*($|#|\{))/m;

/**
 * Whether a text is a configuration string or the content of a mongod.conf.
 * @param {string} content
 * @returns {'string' | 'file'}
 */
const kindOf = (content) => (LOOKS_LIKE_YAML.test(content) ? 'file' : 'string');

/**
 * What is wrong with a configuration string or a mongod.conf.
 * @param {string} content
 * @param {'string' | 'file'} kind
 * @param {{
 *   version: string, at: 'runtime' | 'start', memoryBytes: number | null,
 *   base: any
 * }} server `base`: what the string would be added to, null where that is not known
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
 * What is wrong with a mongod.conf.
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
        `This is no YAML that can be relied on: ${say}`,
        'Indent with spaces, and give each option once.',
        'start',
      ),
    ),
    ...lintConf({ value, positionOf, ...server }),
  ];
}

module.exports = { kindOf, lintText };
