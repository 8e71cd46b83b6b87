'use strict';

const {
  OPTIONS: { seconds, force },
} = require('../../lib/commands/report');
const { text } = require('../../lib/base/pure/options');
const { TuneError } = require('../../lib/base/pure/errors');

/**
 * @import { Script } from '../../lib/shell/script'
 */

/** @type {Script} */
const SCRIPT = {
  name: 'report',
  help: 'One HTML page: advice, machine, collections, charts',
  options: { file: text(), of: text(), seconds, force },
  about: {
    file: 'the page to write; it must be given',
    of: 'a recording or `diagnostic.data` to look at, instead of the server',
    seconds: 'how long to look (30)',
    force: '`1`: write over a file that is there (`0`)',
  },
  server: false,
  seconds: 30,
  patienceSeconds: 300,
  run: (tune, { file, ...options }) => {
    if (file === undefined)
      throw new TuneError(
        'TUNE-10004',
        'report.js: TUNE_FILE is missing, the name of the page to write.',
        { allowed: 'TUNE_FILE' },
      );
    return tune.report(file, options);
  },
};

module.exports = SCRIPT;
