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
  const todo = `Give a release from ${FIRST_RELEASE} to ${LAST_RELEASE}, or try it on a test server.`;
  if (compareVersions(version, FIRST_RELEASE) < 0)
    return [
      warning(
        null,
        null,
        `MongoDB ${version} is too old for tune.lint, which knows ${FIRST_RELEASE} and ` +
          `later: this is judged as by ${FIRST_RELEASE}`,
        todo,
      ),
    ];
  const say =
    compareVersions(version, LAST_RELEASE) > 0
      ? `MongoDB ${version} is newer than what tune.lint knows`
      : `MongoDB ${version} is no release that tune.lint knows`;
  return [warning(null, null, `${say}: this is judged as by the nearest release before it`, todo)];
}

module.exports = { checkRelease, RELEASE };
