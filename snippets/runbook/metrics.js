'use strict';

const fs = require('node:fs');
const { OPTIONS, writeFailure } = require('../../lib/commands/metrics');
const { targetOf } = require('../../lib/check/metrics-file');

/**
 * @import { Script } from '../../lib/shell/script'
 */

/** @type {Script} */
const SCRIPT = {
  name: 'metrics',
  help: 'Status, findings and bottleneck for the textfile collector of Prometheus',
  options: OPTIONS,
  about: {
    seconds: 'how long to look (10)',
    file: 'where it is written, whole or not at all: a name that ends in `.prom` (stdout)',
    name: 'of the server, a label of every series (what it calls itself)',
    host: '`0`: do not look at the machine (`1`)',
  },
  server: true,
  seconds: 10,
  patienceSeconds: 30,
  run: (tune, options) => tune.metrics(options),
  unable: () => {
    noteFailure(process.env);
    return '';
  },
};

/**
 * Without a connection tune.metrics() is never called, and the figures of the run before must go
 * all the same.
 * @param {NodeJS.ProcessEnv} env
 */
function noteFailure({ TUNE_FILE: file, TUNE_NAME: name, TUNE_URI: uri, TUNE_URI_FILE: uriFile }) {
  if (!file) return;
  try {
    writeFailure(targetOf(file), name || undefined, uri || readOr(uriFile, ''));
  } catch (_unwritable) {
    // What is wrong with the file, or why there was no connection, is on stderr.
  }
}

/** @param {string | undefined} file @param {string} otherwise */
function readOr(file, otherwise) {
  try {
    return file ? fs.readFileSync(file, 'utf8').trim() : otherwise;
  } catch (_unreadable) {
    return otherwise;
  }
}

module.exports = SCRIPT;
