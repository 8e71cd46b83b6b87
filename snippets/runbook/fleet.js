'use strict';

const { OPTIONS } = require('../../lib/commands/fleet');
const { flag, text } = require('../../lib/base/pure/options');
const { TuneError } = require('../../lib/base/pure/errors');

/**
 * @import { Script } from '../../lib/shell/script'
 */

/** `json` is what all scripts have: one document. */
const { concurrency, seconds, timeoutSeconds, limit } = OPTIONS;

/** @type {Script} */
const SCRIPT = {
  name: 'fleet',
  help: 'Looks at hundreds of servers, and shows the worst first',
  options: { list: text(), concurrency, seconds, timeoutSeconds, limit, ndjson: flag() },
  about: {
    list: 'the file that lists the servers: docs/fleet.md',
    seconds: 'how long to look at each (5)',
    concurrency: 'servers at once (64)',
    timeoutSeconds: 'what each may take beyond that (10)',
    limit: 'rows that are shown (40)',
    ndjson: '`1`: each server as one JSON object a line, as soon as it is known',
  },
  server: false,
  seconds: 5,
  patienceSeconds: 3600,
  run: (tune, { list, ndjson, ...options }) => {
    if (list === undefined)
      throw new TuneError(
        'TUNE-10004',
        'fleet.js: TUNE_LIST is missing, the file that lists the servers.',
        { allowed: 'TUNE_LIST' },
      );
    return tune.fleet(list, { ...options, json: ndjson });
  },
};

module.exports = SCRIPT;
