'use strict';

const { findState } = require('./shell/state');

/**
 * What index.js does: in mongosh it puts `tune` into the shell, in Node.js it exports the function
 * that makes one.
 * @param {any} world the global object of who loads index.js
 * @param {{ exports: unknown }} outer its module
 */
function enter(world, outer) {
  // Not `db`: with --nodb touching it throws.
  if (findState(world))
    require('./shell/install').install(world, require('../snippets/tune').COMMANDS);
  else outer.exports = require('./node').tune;
}

module.exports = enter;
