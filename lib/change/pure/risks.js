'use strict';

/** The risks of a change of settings at run time, for the help and the pages of the commands. */

const VENDOR =
  "MongoDB's manual advises against changing wiredTigerEngineRuntimeConfig except under the " +
  'direction of its engineers. With a support contract, ask first.';

const SETTING_RISKS = Object.freeze([
  VENDOR,
  'A larger cache takes RAM from the page cache and other processes. With too little RAM left, ' +
    'the kernel ends mongod.',
  'A smaller cache or a lower trigger can block application threads, so it is lowered in steps. ' +
    'With { force: true } what is left after 60 s is set at once.',
  'The call waits for a running checkpoint; no time limit ends that wait.',
  'The change is lost at the next restart. tune.mongodConf() prints the lines that make it ' +
    'permanent.',
]);

module.exports = { VENDOR, SETTING_RISKS };
