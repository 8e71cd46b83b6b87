'use strict';

const { visible } = require('../../base/pure/visible');
const { COMMANDS } = require('../commands');
const { EACH_SNAPSHOT, ONCE, LINKS, ON_SEVERAL_NODES } = require('./list');
const { WRITER } = require('./writer');
const { BODY } = require('./body');

/**
 * What the connected server tells, so that the script finds it among several.
 * @typedef {{
 *   host: string | null, port: number | null, dbPath: string | null, version: string | null,
 *   cacheBytes: number | null
 * }} Preset
 */

/**
 * @param {Preset} preset
 * @returns {string} a script of the POSIX shell that prints one JSON document, see
 *   recorded-files.js
 */
function collectingScript({ host, port, dbPath, version, cacheBytes }) {
  const line = (/** @type {string} */ text) => text.replace(/[^\x20-\x7e]+/g, '?');
  return `${[
    '#!/bin/sh',
    '# Writes what the files of Linux tell of a machine under ' +
      `mongod${host === null ? '' : ` (${line(host)})`} into one JSON document, for ` +
      'tune.host({ from }).',
    '# It needs no root (as the user of mongod it sees more), changes nothing, and sends ' +
      'nothing anywhere:',
    '#   sh tune-host-collect.sh > host.json        two samples, a second apart; a number of ' +
      'seconds may follow',
    '#   PID=1234 sh tune-host-collect.sh           which mongod, where there are several; ' +
      'PORT= and DBPATH= do too',
    '# Of arguments and configuration files it leaves out passwords, of the environment it ' +
      'takes GLIBC_TUNABLES only.',
    '',
    '# Patterns and the program of awk are no text of the shell; what ls lists are numbers.',
    '# shellcheck disable=SC2016,SC2012',
    `WANTED_PORT=${port ?? ''}`,
    `WANTED_DBPATH=${word(isPrintable(dbPath) ? dbPath : '')}`,
    `VERSION=${word(isPrintable(version) ? version : '')}`,
    `CACHE_BYTES=${cacheBytes ?? ''}`,
    '',
    ...patterns('each_look', EACH_SNAPSHOT),
    ...patterns('once', ONCE),
    ...patterns('links', LINKS),
    ...patterns('on_several_nodes', ON_SEVERAL_NODES),
    'commands() {',
    ...Object.entries(COMMANDS).map(
      ([name, args]) => `  run ${[name, ...args].map(word).join(' ')}`,
    ),
    '}',
    '',
    `WRITER='${WRITER}'`,
    '',
    BODY,
  ].join('\n')}\n`;
}

/**
 * What moves the cursor of who reads the script is not put into it.
 * @param {string | null} text
 * @returns {text is string}
 */
const isPrintable = (text) => text !== null && visible(text) === text;

/**
 * An argument as the shell reads it, in quotes where it needs them.
 * @param {string} text
 * @returns {string}
 */
function word(text) {
  if (text === '' || /^[\w./,:=-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * A function that hands each pattern on; `$PID` and `$CGROUPS` are filled in where it is called.
 * @param {string} name
 * @param {readonly string[]} all
 */
const patterns = (name, all) => [`${name}() {`, "  cat <<'LIST'", ...all, 'LIST', '}', ''];

module.exports = { collectingScript };
