'use strict';

const { GUARDED_NAMES } = require('./pure/guard');

/**
 * `{ readLatencyMs: 20, errors: null }`: limits of the user's own in place of those that A shows;
 * null switches one off.
 * @returns {import('../base/pure/options').Option}
 */
const guardOption = () => ({
  allowed: `an object of limits (${GUARDED_NAMES.join(', ')}), each a number above 0, or null for none`,
  schema: (v) =>
    v.strictObject(
      Object.fromEntries(
        GUARDED_NAMES.map((name) => [
          name,
          v.optional(v.nullable(v.pipe(v.number(), v.finite(), v.gtValue(0)))),
        ]),
      ),
    ),
});

module.exports = { guardOption };
