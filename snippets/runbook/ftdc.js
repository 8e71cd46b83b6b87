'use strict';

const { SPAN_OPTIONS } = require('../../lib/recording/span');
const { text } = require('../../lib/base/pure/options');
const { TuneError } = require('../../lib/base/pure/errors');

/**
 * @import { Script } from '../../lib/shell/script'
 */

/** @type {Script} */
const SCRIPT = {
  name: 'ftdc',
  help: 'The advice of a diagnostic.data folder; no server is needed',
  options: { path: text(), ...SPAN_OPTIONS },
  about: {
    path: 'the folder `diagnostic.data`, one of its files, or the dbPath that has it; it must be given',
    from: 'such as `2024-05-01T08:00:00Z`',
    to: 'the same',
  },
  server: false,
  patienceSeconds: 600,
  run: (tune, { path, ...span }) => {
    if (path === undefined)
      throw new TuneError(
        'TUNE-10004',
        'ftdc.js: TUNE_PATH is missing, the place of diagnostic.data.',
        { allowed: 'TUNE_PATH' },
      );
    return tune.ftdc(path, span);
  },
};

module.exports = SCRIPT;
