'use strict';

const { OPTIONS } = require('../../lib/commands/status');

/**
 * @import { Script } from '../../lib/shell/script'
 */

/** @type {Script} */
const SCRIPT = {
  name: 'status',
  help: 'How cache, eviction, checkpoint and tickets are now',
  options: OPTIONS,
  about: { seconds: 'how long to look (1)' },
  server: true,
  seconds: 1,
  patienceSeconds: 30,
  run: (tune, options) => tune.status(options),
};

module.exports = SCRIPT;
