'use strict';

const { defineCommand } = require('../base/pure/command');
const { readPolicy } = require('../policy/policy-sources');
const { report } = require('../text/report');

/**
 * @import { Report } from '../text/report'
 * @import { Context, PolicySource } from '../base/types'
 */

/**
 * What limits tune on this machine.
 * @typedef {{
 *   readOnly: boolean, sources: PolicySource[], places: string[], exitCode: 0 | 1
 * }} PolicyData `readOnly`: nothing may be changed; `sources`: what holds, each by itself, so that
 *   none can widen another; `places`: where a policy is read from; `exitCode`: 1 where a file
 *   cannot be used
 */

module.exports = defineCommand({
  name: 'policy',
  group: 'Change',
  order: 7,
  takes: [],
  usage: 'tune.policy()',
  summary: 'Shows what a policy allows here, and where it comes from',
  details:
    'A policy limits which commands run, which hosts may be changed and when, and asks for a ' +
    'ticket. The file of the machine and that of the user both apply; docs/policy.md explains them',
  examples: ['tune.policy()', 'tune policy'],
  changes: 'nothing',
  run: policy,
});

/**
 * What limits tune on this machine. Needs no connection.
 * @param {Context} ctx
 * @returns {Promise<PolicyData & Report>}
 */
async function policy(ctx) {
  const { sources, places } = ctx.policy?.() ?? readPolicy(ctx.home);
  const data = {
    readOnly: sources.some(({ rules, fault }) => rules.readOnly === true || fault !== null),
    sources,
    places,
    exitCode: /** @type {0 | 1} */ (sources.some(({ fault }) => fault !== null) ? 1 : 0),
  };
  return report(data, (ink) => require('../policy/pure/policy-text').renderPolicy(data, ink));
}
