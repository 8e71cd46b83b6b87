'use strict';

const os = require('node:os');
const path = require('node:path');

/**
 * The folder for the journal: beside mongosh's own, or where MONGOSH_TUNE_HOME says.
 * @param {NodeJS.ProcessEnv} [env] @param {NodeJS.Platform} [platform]
 */
function defaultHome(env = process.env, platform = process.platform) {
  const home = env.HOME || os.homedir();
  if (env.MONGOSH_TUNE_HOME)
    // A file that sets the environment of a service has no shell that replaces the ~.
    return path.resolve(env.MONGOSH_TUNE_HOME.replace(/^~(?=$|[\\/])/, () => home));
  if (platform === 'win32' && env.LOCALAPPDATA)
    return path.join(env.LOCALAPPDATA, 'mongodb', 'mongosh-tune');
  return path.join(home, '.mongodb', 'mongosh-tune');
}

module.exports = { defaultHome };
