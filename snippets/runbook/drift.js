'use strict';

const { OPTIONS } = require('../../lib/commands/drift');

/**
 * @import { Script } from '../../lib/shell/script'
 */

/** @type {Script} */
const SCRIPT = {
  name: 'drift',
  help:
    'What runs against mongod.conf, its start and the other members; ends with 1 where ' +
    'anything has drifted',
  options: OPTIONS,
  about: {
    file: "a mongod.conf to compare with (the server's own, where it runs on this machine)",
    members: '`0`: not against the other members (`1`)',
  },
  server: true,
  patienceSeconds: 90,
  run: (tune, options) => tune.drift(options),
};

module.exports = SCRIPT;
