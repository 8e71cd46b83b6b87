'use strict';
// mongosh rewrites all of this file at every start (25-65 ms per KB), so it is short; an error out of it would keep mongosh from
// starting at all. `module` is another one there, and `db` must not be touched: with --nodb that throws.
(() => {
  const shell = /** @type {any} */ (globalThis);
  const state = shell[Symbol.for('@@mongosh.instanceState')] || (shell.config && shell.config._instanceState);
  try {
    const local = require('module').createRequire(__filename);
    if (state) local('./lib/shell/install').install(shell, local('./snippets/tune').COMMANDS);
    else module.exports = local('./lib/node').tune;
  } catch (error) {
    if (!state) throw error;
    shell.print(`tune is not loaded: ${String(error && /** @type {any} */ (error).message).split('\n')[0]}`);
    shell.print('Install it again, or remove it: mongosh --nodb --eval \'snippet("uninstall","tune")\'');
  }
})();
