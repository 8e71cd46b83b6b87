'use strict';

/**
 * The whole public surface, in the order of the help. Nothing else is loaded before it is called.
 *
 * @typedef {import('./table/entry').Entry} Entry
 */

/** @type {Readonly<Record<string, Entry>>} */
const COMMANDS = Object.freeze({
  ...require('./table/looking'),
  ...require('./table/judging'),
  ...require('./table/changing'),
  ...require('./table/splitting'),
  ...require('./table/bench'),
  ...require('./table/recordings'),
  ...require('./table/fleet'),
});

module.exports = { COMMANDS };
