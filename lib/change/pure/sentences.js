'use strict';

/** Printed above the lines for mongod.conf, so a screen leaves it out of the warnings. */
const LOST_AT_RESTART =
  'Lost at the next restart. To make it permanent, add the mongod.conf lines below (result ' +
  'field conf).';

/** https://www.mongodb.com/docs/manual/reference/parameters/#mongodb-parameter-param.wiredTigerEngineRuntimeConfig */
const VENDOR_ADVISES =
  "This is tune's first change on this server from this computer. MongoDB's manual advises " +
  "against setting wiredTigerEngineRuntimeConfig unless MongoDB's engineers direct it. With a " +
  'support contract, ask them first. The documented way is mongod.conf and a restart: ' +
  'tune.mongodConf().';

module.exports = { VENDOR_ADVISES, LOST_AT_RESTART };
