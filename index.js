'use strict';
// mongosh rewrites all of this file at every start (25-65 ms per KB, functions more), so it is short; and it must not throw: that
// would keep mongosh from starting at all. Node.js gets its exports here; in mongosh `module` is another one, and stays as it is.
try {
  require('module').createRequire(__filename)('./lib/entry')(globalThis, module);
} catch (error) {
  const { print } = /** @type {any} */ (globalThis);
  if (!print) throw error;
  print(`tune is not loaded: ${/** @type {Error} */ (error).message.split('\n')[0]}`);
  print('Install it again, or remove it: mongosh --nodb --eval \'snippet("uninstall","tune")\'');
}
