'use strict';

const { OPTIONS } = require('../../lib/commands/members');

/**
 * @import { Script } from '../../lib/shell/script'
 */

/** @type {Script} */
const SCRIPT = {
  name: 'members',
  help:
    'Every member of the set, of every shard, and how they differ; ends with the worst of it, ' +
    'as check does',
  options: OPTIONS,
  about: {
    seconds: 'how long to look (1; with TUNE_ADVISE 30)',
    advise: '`1`: name the bottleneck of each (`0`)',
  },
  server: true,
  seconds: 30,
  patienceSeconds: 120,
  run: (tune, options) => tune.members(options),
};

module.exports = SCRIPT;
