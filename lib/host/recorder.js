'use strict';

const { textOf } = require('../base/own-files');
const { visible } = require('../base/pure/visible');
const { quote } = require('./pure/script-texts');
const { COMMANDS } = require('./root-files');

/** What the script does, the same for every server. */
const COLLECT = 'lib/host/collect.sh';

/**
 * What the connected server reports, so that the script finds it among several.
 * @typedef {{
 *   host: string | null, port: number | null, dbPath: string | null, version: string | null,
 *   cacheBytes: number | null
 * }} Preset
 */

/**
 * The script that records a machine where mongosh does not run.
 * @param {Preset} preset
 * @returns {string} a script of the POSIX shell that prints one JSON document, which
 *   host-file.js reads
 */
function collectingScript({ host, port, dbPath, version, cacheBytes }) {
  const line = (/** @type {string} */ text) => text.replace(/[^\x20-\x7e]+/g, '?');
  return `${[
    '#!/bin/sh',
    '# Writes host facts from Linux files, for a machine with ' +
      `mongod${host === null ? '' : ` (${line(host)})`} into one JSON document, for ` +
      'tune.host({ file }).',
    '# It needs no root (the user of mongod sees more), changes nothing, and sends nothing:',
    '#   sh tune-host-collect.sh > host.json        two samples, 1 s apart; add a number of ' +
      'seconds for more',
    '#   PID=1234 sh tune-host-collect.sh           selects one of several mongod; PORT= ' +
      'and DBPATH= work too',
    '# It omits passwords in arguments and configuration files. Of the environment it reads ' +
      'only GLIBC_TUNABLES.',
    '',
    '# Patterns and the program of awk are no text of the shell; what ls lists are numbers.',
    '# shellcheck disable=SC2016,SC2012',
    `WANTED_PORT=${port ?? ''}`,
    `WANTED_DBPATH=${quote(isPrintable(dbPath) ? dbPath : '')}`,
    `VERSION=${quote(isPrintable(version) ? version : '')}`,
    `CACHE_BYTES=${cacheBytes ?? ''}`,
    '',
    'commands() {',
    ...Object.entries(COMMANDS).map(
      ([name, args]) => `  run ${[name, ...args].map(quote).join(' ')}`,
    ),
    '}',
    '',
    textOf(COLLECT),
  ].join('\n')}`;
}

/**
 * Control characters, which would move the cursor of who reads the script, are left out of it.
 * @param {string | null} text
 * @returns {text is string}
 */
const isPrintable = (text) => text !== null && visible(text) === text;

module.exports = { collectingScript };
