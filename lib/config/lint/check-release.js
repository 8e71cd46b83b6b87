'use strict';

const { FIRST_RELEASE, LAST_RELEASE, knowsLine } = require('../engine-keys');
const { compareVersions } = require('../../base/pure/version');
const { warning } = require('./problem');

/**
 * @import { Problem } from './problem'
 */

/** `8.0`, `8.0.10`, `8.0.0-rc18`, `6.0.5-4` */
const RELEASE = /^\d+\.\d+(\.\d+)?(-[\w.-]+)?$/;

/**
 * @param {string} version
 * @returns {Problem[]} what a judgement for this release is worth
 */
function checkRelease(version) {
  if (knowsLine(version)) return [];
  const todo =
    `Give a release from ${FIRST_RELEASE} to ${LAST_RELEASE}, or test it on a test ` + 'server.';
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

module.exports = { checkRelease, RELEASE };
