'use strict';

const { findState } = require('./shell/state');

/**
 * What index.js does: in mongosh it puts `tune` into the shell, in Node.js it exports the function
 * that makes one.
 * @param {any} globalObject the global object of who loads index.js
 * @param {{ exports: unknown }} outerSignal its module
 */
function enter(globalObject, outerSignal) {
  // Not `db`: with --nodb touching it throws.
  if (findState(globalObject))
    require('./shell/install').install(globalObject, require('../snippets/tune').COMMANDS);
  else outerSignal.exports = require('./node').tune;
}

module.exports = enter;
