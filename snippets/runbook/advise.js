'use strict';

const { OPTIONS } = require('../../lib/commands/advise');

/**
 * @import { Script } from '../../lib/shell/script'
 */

/** @type {Script} */
const SCRIPT = {
  name: 'advise',
  help: 'What holds the server back, and the change that helps',
  options: OPTIONS,
  about: {
    seconds: 'how long to look (30)',
    host: '`0`: leave the machine out (`1`)',
    members: '`1`: look at the other members of the set too (`0`)',
  },
  server: true,
  seconds: 30,
  patienceSeconds: 60,
  run: (tune, options) => tune.advise(options),
};

module.exports = SCRIPT;
