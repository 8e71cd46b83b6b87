'use strict';

/** Printed above the lines for mongod.conf, so a screen leaves it out of the warnings. */
const LOST_AT_RESTART =
  'Lost at the next restart. To make it permanent, add the mongod.conf lines below (result ' +
  'field conf).';

module.exports = { LOST_AT_RESTART };
