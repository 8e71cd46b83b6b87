'use strict';

const { findState } = require('./shell/mongosh');

/**
 * What index.js does: in mongosh it puts `tune` into the shell, in Node.js it exports the function
 * that makes one.
 * @param {any} globalObject the global object of who loads index.js
 * @param {{ exports: unknown }} parentModule its module
 */
function enter(globalObject, parentModule) {
  // Not `db`: with --nodb touching it throws.
  if (findState(globalObject)) require('./shell/install').install(globalObject);
  else parentModule.exports = require('./node').tune;
}

module.exports = enter;
