'use strict';
// For mongosh --file: docs/runbook.md. mongosh rewrites this file, so the rest is elsewhere.
try {
  require('module').createRequire(__filename)('../lib/shell/runbook').run(globalThis, 'incident');
} catch (error) {
  const { print, quit } = /** @type {any} */ (globalThis);
  print(`TUNE UNKNOWN - ${/** @type {Error} */ (error).message.split('\n')[0]}`);
  quit(3);
}
