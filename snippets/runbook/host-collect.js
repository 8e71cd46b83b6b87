'use strict';

/**
 * @import { Script } from '../../lib/shell/script'
 */

/** @type {Script} */
const SCRIPT = {
  name: 'host-collect',
  help: 'Prints the shell script that looks at the machine of mongod, for tune.host({ from })',
  options: {},
  about: {},
  server: false,
  patienceSeconds: 30,
  run: (tune) => tune.host.collect(),
};

module.exports = SCRIPT;
