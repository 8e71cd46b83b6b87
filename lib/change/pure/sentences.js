'use strict';

/**
 * This sentence is printed above the lines for mongod.conf, so a screen leaves it out of the
 * warnings.
 */
const LOST_AT_RESTART =
  'Lost at the next restart. To make it permanent, add the mongod.conf lines below (result ' +
  'field conf).';

/** https://www.mongodb.com/docs/manual/reference/parameters/#mongodb-parameter-param.wiredTigerEngineRuntimeConfig */
const VENDOR_ADVISES =
  "First change here by tune. MongoDB's manual advises against setting " +
  'wiredTigerEngineRuntimeConfig unless its engineers direct it: docs/safety.md.';

/** The head of the lines for mongod.conf. */
const KEEP_IN_CONF =
  'A restart loses run-time settings. To keep them, merge into mongod.conf (one storage: section ' +
  'only), then check it with tune.lint()';

module.exports = { VENDOR_ADVISES, LOST_AT_RESTART, KEEP_IN_CONF };
