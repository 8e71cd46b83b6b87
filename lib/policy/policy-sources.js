'use strict';

// Taken at the start: what a shell replaces later changes nothing here.
const { readFileSync, readdirSync, statSync } = require('node:fs');
const path = require('node:path');
const { endsNowhere } = require('../base/dead-links');

/**
 * @import { PolicySource } from '../base/types'
 */

/**
 * This policy applies to all users of the machine. An environment variable must not replace it:
 * that is the user's own.
 */
const SYSTEM_FILE =
  process.platform === 'win32'
    ? 'C:\\ProgramData\\mongosh-tune\\policy.yaml'
    : '/etc/mongosh-tune/policy.yaml';
const FILE = 'policy.yaml';
const VARIABLE = 'MONGOSH_TUNE_READ_ONLY';
/** Bytes: a list of hosts may be long; more than that is no policy. */
const MAX_BYTES = 256 * 1024;
/** Any other value means yes: its user wants to be on the safe side. */
const IS_OFF = /^\s*(?:|0|false|no|off)\s*$/i;
/** The environment that the process began with, where the system shows it (Linux). */
const ENVIRON = '/proc/self/environ';

/** @param {string | undefined} value */
const isSet = (value) => value !== undefined && !IS_OFF.test(value);

/**
 * A policy that was on when the process began stays on: a script cannot switch it off, not even
 * before it loads tune.
 */
const wasOnAtStart = isSet(process.env[VARIABLE]) || isSet(environAtStart()[VARIABLE]);

/** @returns {Record<string, string>} */
function environAtStart() {
  try {
    return Object.fromEntries(
      readFileSync(ENVIRON, 'utf8')
        .split('\0')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  } catch {
    return {};
  }
}

/**
 * Reads what limits tune here: the environment, the system's file and the user's. It is read at
 * each call, so that a shell that has been open for days obeys the present policy.
 * @param {string} home the folder of the journal
 * @param {{
 *   systemFile?: string, env?: NodeJS.ProcessEnv, commands?: () => string[]
 * }} [places] `commands`: the names that rules may contain
 * @returns {{ sources: PolicySource[], places: string[] }} `places`: where policies are read from
 */
function readPolicy(home, { systemFile = SYSTEM_FILE, env = process.env, commands } = {}) {
  const isReadOnly = wasOnAtStart || isSet(env[VARIABLE]);
  const files = [systemFile, path.join(home, FILE)];
  return {
    sources: [
      ...(isReadOnly ? [{ from: VARIABLE, rules: { readOnly: true }, fault: null }] : []),
      ...files.flatMap((file) => [...sourceOf(file, commands), ...otherNames(file)]),
    ],
    places: [VARIABLE, ...files],
  };
}

/**
 * A file that is there and cannot be read counts as one that forbids changes.
 * @param {string} file
 * @param {() => string[]} [commands]
 * @returns {PolicySource[]} none where there is no such file
 */
function sourceOf(file, commands) {
  try {
    const stat = statSync(file);
    if (!stat.isFile()) return [{ from: file, rules: {}, fault: 'it is not a file' }];
    if (stat.size > MAX_BYTES) return [{ from: file, rules: {}, fault: 'it is too large' }];
    const { parse } = require('yaml');
    const { readRules } = require('./pure/policy');
    return [{ from: file, ...readRules(parse(readFileSync(file, 'utf8')), commands?.()) }];
  } catch (cause) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (cause);
    if (code === 'ENOENT' && !endsNowhere(file)) return [];
    return [{ from: file, rules: {}, fault: message.split('\n')[0] }];
  }
}

/** A file of this name is meant as a policy; an editor's copy has another ending. */
const NEARLY = /^policy\.(?:ya?ml|json)$/i;

/**
 * Refuses a policy under another name: it would limit nothing, while its author believes that it
 * does.
 * @param {string} file
 * @returns {PolicySource[]} each forbids changes
 */
function otherNames(file) {
  const folder = path.dirname(file);
  return namesIn(folder)
    .filter((name) => NEARLY.test(name) && !isRead(folder, name))
    .map((name) => ({
      from: path.join(folder, name),
      rules: {},
      fault: `its name is not ${FILE}, so it is not read`,
    }));
}

/**
 * Whether a file is read, also on file systems that ignore case.
 * @param {string} folder
 * @param {string} name
 */
function isRead(folder, name) {
  if (name === FILE) return true;
  try {
    const [one, read] = [name, FILE].map((file) => statSync(path.join(folder, file)));
    return one.ino === read.ino && one.dev === read.dev;
  } catch {
    return false; // one of them is not there, or a link that leads nowhere
  }
}

/** @param {string} folder @returns {string[]} none where it cannot be listed */
function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

module.exports = Object.freeze({ readPolicy });
