'use strict';

const path = require('node:path');
const { TuneError } = require('../base/pure/errors');
const { show } = require('../base/pure/options');
const { entriesOf, listOf, linesOf } = require('./pure/fleet-list');
const { expandHome } = require('../base/named-files');
const fs = require('node:fs/promises');
const { MiB, bytes } = require('../base/pure/units');
const { readYaml } = require('../base/pure/yaml');

/**
 * @import { Entry, List, Listed } from './pure/fleet-list'
 */

const ALLOWED = 'a file that lists servers, or a list of connection strings';
const MAX_SERVERS = 10_000;
/** Largest number of faults of a list that are reported. */
const MAX_LISTED = 5;
const SCHEME = /^\s*mongodb(\+srv)?:\/\//;
/** Matches a password in the list itself. */
const HAS_PASSWORD = /^[\w+]+:\/\/[^/?@:]*:(?!\$\{)[^/?@]+@/;

/**
 * Reads the list of servers; no server is asked unless all of the list is right.
 * @param {unknown} of
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {Promise<{ servers: Listed[], notes: string[] }>}
 * @throws {TuneError} TUNE-10002, TUNE-10004, TUNE-10006 for a variable that is not set,
 *   TUNE-40002, TUNE-40008
 */
async function readServers(of, env) {
  if (of === undefined || of === null || of === '')
    throw new TuneError('TUNE-10004', `tune.fleet needs ${ALLOWED}.`, { allowed: ALLOWED });
  const { file, entries, problems, isOpen } = await entriesIn(of);
  const { servers, unset, problems: faults, doubles } = listOf(entries, env);
  const where = file === null ? 'tune.fleet' : `tune.fleet: ${file}`;
  refuse(where, { servers, unset, problems: [...problems, ...faults] });
  return {
    servers,
    notes: notesOn({
      file,
      doubles,
      isOpen: isOpen && entries.some(({ uri }) => HAS_PASSWORD.test(String(uri))),
    }),
  };
}

/**
 * @param {string} where
 * @param {Pick<List, 'servers' | 'unset' | 'problems'>} found
 * @throws {TuneError}
 */
function refuse(where, { servers, unset, problems }) {
  if (problems.length > 0)
    throw new TuneError('TUNE-40008', `${where}: ${some(problems, '; ')}.`, { value: where });
  if (unset.length > 0)
    throw new TuneError(
      'TUNE-10006',
      `${where}: environment variable not set: ${some(unset, ', ')}.`,
      { value: unset },
    );
  if (servers.length === 0)
    throw new TuneError('TUNE-40008', `${where}: the list has no servers.`, { value: where });
  if (servers.length > MAX_SERVERS)
    throw new TuneError(
      'TUNE-10002',
      `${where}: ${servers.length} servers are more than ${MAX_SERVERS}.`,
      { value: servers.length, allowed: `${MAX_SERVERS} servers` },
    );
}

/** @param {readonly string[]} all @param {string} between */
const some = (all, between) =>
  `${all.slice(0, MAX_LISTED).join(between)}${all.length > MAX_LISTED ? `${between}and ${all.length - MAX_LISTED} more` : ''}`;

/**
 * @param {unknown} of
 * @returns {Promise<{ file: string | null, entries: Entry[],
 *   problems: string[], isOpen: boolean }>}
 */
async function entriesIn(of) {
  if (typeof of === 'string' && !SCHEME.test(of))
    return { file: of, ...(await readServerList(of, path.resolve(expandHome(of)))) };
  const list = typeof of === 'string' ? of.trim().split(/\s+/) : of;
  if (!Array.isArray(list))
    throw new TuneError('TUNE-10002', `tune.fleet: give ${ALLOWED}, not ${show(of)}.`, {
      allowed: ALLOWED,
    });
  return { file: null, ...entriesOf(list), isOpen: false };
}

/** @param {{ file: string | null, doubles: number, isOpen: boolean }} found */
const notesOn = ({ file, doubles, isOpen }) => [
  ...(doubles > 0
    ? [
        `${doubles} duplicate ${doubles === 1 ? 'entry' : 'entries'} in the list; each server ` +
          'was ' +
          'checked once.',
      ]
    : []),
  ...(isOpen
    ? [
        `${file} contains passwords and is readable by other users of this machine: chmod 600, ` +
          'or ' +
          `use \${PASSWORD}.`,
      ]
    : []),
];

/** Bytes: enough for ten thousand servers with long options, and tags. */
const MAX_BYTES = 8 * MiB;
const OTHERS_READ = 0o077;
/**
 * Matches the beginning of a list in YAML or JSON, behind comments; a line of the other kind begins
 * with a scheme or a variable.
 */
const STRUCTURED = /^(?:\s*#[^\n]*\n|\s*\n)*\s*(?:-\s|\[|\{|servers\s*:|---|%YAML)/;

/**
 * @param {string} file as the user named it
 * @param {string} path
 * @returns {Promise<{ entries: Entry[], problems: string[], isOpen: boolean }>} `isOpen`: other
 *   users of this machine may read it
 * @throws {TuneError} TUNE-40002, TUNE-40008
 */
async function readServerList(file, path) {
  const unreadable = (/** @type {any} */ cause) => {
    throw new TuneError(
      'TUNE-40002',
      `The list of servers ${file} cannot be read (${cause.code}).`,
      { value: file, cause },
    );
  };
  const { size, mode } = await fs.stat(path).catch(unreadable);
  if (size > MAX_BYTES)
    throw new TuneError(
      'TUNE-40008',
      `${file} has ${bytes(size)}, more than the maximum of ${bytes(MAX_BYTES)} for a list of ` +
        'servers.',
      { value: file },
    );
  const text = await fs.readFile(path, 'utf8').catch(unreadable);
  return {
    ...(STRUCTURED.test(text)
      ? entriesOf(parse(file, text))
      : { entries: linesOf(text), problems: [] }),
    isOpen: process.platform !== 'win32' && (mode & OTHERS_READ) !== 0,
  };
}

/**
 * Parses the list as YAML, which includes JSON. The error quotes no text: it may be a password.
 * @param {string} file
 * @param {string} text
 * @returns {unknown}
 */
function parse(file, text) {
  const {
    value,
    faults: [fault],
  } = readYaml(text, MAX_BYTES);
  if (fault === undefined) return value;
  throw new TuneError(
    'TUNE-40008',
    `${file} is neither YAML nor JSON: see line ` +
      `${text.slice(0, fault.position).split('\n').length}.`,
    { value: file },
  );
}

module.exports = { readServers };
