'use strict';

const { OPTIONS } = require('../../lib/commands/check');
const { renderPlugin, renderUnable } = require('../../lib/check/pure/check-text');

/**
 * @import { Script } from '../../lib/shell/script'
 */

/** @type {Script} */
const SCRIPT = {
  name: 'check',
  help: 'Ends with 0 ok, 1 warning, 2 critical, 3 unknown, as a plugin of Nagios does',
  options: OPTIONS,
  about: {
    seconds: 'how long to look (1)',
    fail: '`critical`: a warning is still ok (`warning`)',
    ignore: 'file of silences: a list of `key`, `reason`, `until`',
    thresholds: 'file of thresholds of your own',
    baseline: 'file of `TUNE_SAVE_BASELINE`: only what is worse than there is told',
    saveBaseline: 'file into which what is found goes, as the new baseline',
  },
  server: true,
  seconds: 1,
  patienceSeconds: 20,
  run: (tune, options) => tune.check(options),
  text: renderPlugin,
  unable: ({ message }) => renderUnable(message),
};

module.exports = SCRIPT;
