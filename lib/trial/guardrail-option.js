'use strict';

const { GUARDRAIL_METRIC_NAMES } = require('./pure/guardrail');

/**
 * @import { Option } from '../base/pure/options'
 */

/**
 * `{ readLatencyMs: 20, errors: null }`: limits of the user's own in place of those that A shows;
 * null switches one off.
 * @returns {Option}
 */
const guardrailOption = () => ({
  allowed: `an object of limits (${GUARDRAIL_METRIC_NAMES.join(', ')}), each a number above 0, or null for none`,
  schema: (v) =>
    v.strictObject(
      Object.fromEntries(
        GUARDRAIL_METRIC_NAMES.map((name) => [
          name,
          v.optional(v.nullable(v.pipe(v.number(), v.finite(), v.gtValue(0)))),
        ]),
      ),
    ),
});

module.exports = { guardrailOption };
