'use strict';
// mongosh rewrites all of this file at every start (25-65 ms per KB, functions more), so it is
// short; and it must not throw: that would keep mongosh from starting at all. Node.js gets its
// exports here; in mongosh `module` is another one, and stays as it is.
try {
  // The legacy mongo shell and Compass have none; the first does not even know `globalThis`.
  if (typeof require !== 'function')
    throw new Error('it needs mongosh 2.0 or newer, in a terminal');
  require('module').createRequire(__filename)('./lib/entry')(globalThis, module);
} catch (error) {
  // @ts-ignore: only shells have it
  const say = typeof print === 'function' ? print : null;
  if (say === null) throw error;
  say(`tune is not loaded: ${/** @type {Error} */ (error).message.split('\n')[0]}`);
  if (typeof require === 'function')
    say('Install it again, or remove it: mongosh --nodb --eval \'snippet("uninstall","tune")\'');
}
