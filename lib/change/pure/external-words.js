'use strict';

const { quoteConfig } = require('../../config/engine-config');

/**
 * @import { ExternalChange } from '../external-change'
 */

/**
 * Says what other sessions set meanwhile, in a sentence each.
 * @param {readonly ExternalChange[]} external
 * @param {boolean} force
 * @returns {string[]}
 */
const externalWords = (external, force) =>
  external.map(({ values: { config, overwritten } }) => {
    if (!overwritten)
      return `Another session set ${quoteConfig(config)} during the change; it stays.`;
    return force
      ? `Overwritten by force: another session set ${quoteConfig(config)}.`
      : `Another session set ${quoteConfig(config)} just before this change, which overwrote it; ` +
          'tune.undo() of this change needs { force: true }.';
  });

module.exports = { externalWords };
