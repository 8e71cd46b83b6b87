'use strict';
// tune VERSION for mongosh: load() this file; tune-bundle.cjs lies beside it. A runbook:
// MONGOSH_TUNE_SCRIPT=check mongosh "$URI" --quiet --file tune.js
try {
  if (typeof require !== 'function')
    throw new Error('it needs mongosh 2.0 or newer, in a terminal');
  require('module').createRequire(__filename)('./tune-bundle.cjs')(globalThis, module);
} catch (error) {
  const { print: say, quit } = /** @type {any} */ (globalThis);
  if (typeof say !== 'function') throw error;
  const { name, message } = /** @type {Error} */ (error);
  const why = name === 'SyntaxError' ? 'tune-bundle.cjs is not whole: copy it again' : message;
  say(`tune is not loaded: ${why.split('\n')[0]}`);
  if (process.env.MONGOSH_TUNE_SCRIPT) quit(3);
}
