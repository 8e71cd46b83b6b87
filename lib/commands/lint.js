'use strict';

const { defineCommand } = require('../base/pure/command');
const fs = require('node:fs');
const path = require('node:path');
const { BUILD_INFO } = require('../server/pure/commands');
const { expandHome } = require('../base/named-files');
const { checkOptions, text, oneOf, show } = require('../base/pure/options');
const { kindOf, lintText, RELEASE } = require('../config/lint/lint');
const { mapServerError } = require('../base/server-errors');
const { TuneError } = require('../base/pure/errors');
const { report } = require('../text/report');
const { collectSettings } = require('../observe/settings');
const { configuredValues } = require('../change/plan-change');

/**
 * @import { Problem } from '../config/lint/problem'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 */

/**
 * @typedef {{ version?: string, at?: 'runtime' | 'start' }} Options
 * @typedef {{
 *   ok: boolean, problems: (Problem & { line: number | null })[], version: string,
 *   kind: 'string' | 'file', file: string | null
 * }} LintData `ok`: no errors
 */

const VERSION = {
  allowed: 'a release such as "8.0.10"',
  schema: (/** @type {typeof import('../base/pure/checks')} */ v) =>
    v.pipe(v.string(), v.regex(RELEASE)),
};
/** An empty string can be checked, too. */
const ANY_TEXT = {
  allowed: 'a string',
  schema: (/** @type {typeof import('../base/pure/checks')} */ v) => v.string(),
};
const WHERE = oneOf(['runtime', 'start']);
/** The form that names its text: `{ file: "mongod.conf" }`. */
const NAMED = { text: ANY_TEXT, file: text(), version: VERSION, at: WHERE };
const FILE_NAME = /\.(conf|cfg|ya?ml)$/i;

module.exports = defineCommand({
  name: 'lint',
  group: 'Diagnose',
  order: 5,
  takes: ['text', 'options'],
  usage: 'tune.lint(text, { version, at })',
  summary: 'Checks a configuration string or a mongod.conf file',
  options: {
    version: {
      check: VERSION,
      defaultText: 'that of the connected server',
      description: 'release to check for',
    },
    at: {
      check: WHERE,
      default: 'runtime',
      description: '"runtime" for setParameter, "start" for configString',
    },
  },
  examples: [
    'tune.lint("eviction=(threads_min=4,threads_max=8)")',
    'tune.lint("/etc/mongod.conf")',
    'tune.lint("cache_size=2G", { version: "8.0.10", at: "start" })',
    'tune lint eviction_dirty_target=5,eviction_dirty_trigger=20 --version 7.0.1',
  ],
  changes: 'nothing',
  run: lint,
});

/**
 * Checks a WiredTiger configuration string, or a whole mongod.conf, before a server does.
 * @param {Context} ctx
 * @param {string | { text?: string, file?: string, version?: string, at?: 'runtime' | 'start' }}
 *   what a string, the name of a file, or
 *   `{ text }` or `{ file }` to say which
 * @param {{ at: 'runtime' | 'start' }} withDefaults
 * @param {Options} options as they were given
 * @returns {Promise<LintData & Report>}
 * @throws {TuneError} TUNE-1xxxx, TUNE-20001 without a server and a version, TUNE-40002, TUNE-40003
 */
async function lint(ctx, what, { at }, options) {
  const { content, file, given } = read(what, options);
  const version = given.version ?? (await versionOf(ctx));
  const kind = file === null ? kindOf(content) : 'file';
  const here = given.version ? null : await settingsOf(ctx);
  const problems = lintText(content, kind, {
    version,
    at: given.at ?? at,
    memoryBytes: here?.memoryBytes ?? null,
    base: here === null ? null : configuredValues(here),
  });
  const data = /** @type {LintData} */ ({
    ok: problems.every(({ level }) => level !== 'error'),
    problems: problems.map((problem) => ({ ...problem, line: lineOf(content, problem.position) })),
    version,
    kind,
    file,
  });
  return report(data, (ink) => require('../config/lint/lint-text').renderLint(data, content, ink));
}

/**
 * Finds the text to check, and the options beside it.
 * @param {unknown} what
 * @param {Options} options
 * @returns {{ content: string, file: string | null, given: Options }}
 */
function read(what, options) {
  if (typeof what === 'string')
    return isFile(expandHome(what))
      ? { ...readFile(what), given: options }
      : { content: what, file: null, given: options };
  if (what === undefined)
    throw new TuneError(
      'TUNE-10004',
      'tune.lint needs a configuration string or the name of a file.',
      { allowed: 'a string, { text } or { file }' },
    );
  if (what === null || typeof what !== 'object')
    throw new TuneError(
      'TUNE-10002',
      `tune.lint: give a string, { text } or { file }, not ${show(what)}.`,
      { value: what, allowed: 'a string, { text } or { file }' },
    );
  const { text: content, file, ...more } = checkOptions('tune.lint', NAMED, what);
  const given = { ...more, ...options };
  if (file !== undefined) return { ...readFile(file), given };
  if (content === undefined)
    throw new TuneError('TUNE-10004', 'tune.lint needs { text } or { file }.', {
      allowed: '{ text } or { file }',
    });
  return { content, file: null, given };
}

/**
 * Whether the word names a file: a text with "=" is a configuration string; what exists or is named
 * like a mongod.conf is a file.
 * @param {string} what
 */
const isFile = (what) =>
  !what.includes('=') &&
  !what.includes('\n') &&
  what !== '' &&
  (fs.existsSync(what) || FILE_NAME.test(what));

/** Reads the text of a file. @param {string} name */
function readFile(name) {
  const file = path.resolve(expandHome(name));
  try {
    return { content: fs.readFileSync(file, 'utf8'), file };
  } catch (cause) {
    throw new TuneError(
      'TUNE-40002',
      `The file ${file} cannot be read: ${/** @type {Error} */ (cause).message}.`,
      { cause, value: file },
    );
  }
}

/**
 * Reads the version of any kind of server, also of a mongos; this needs no privilege.
 * @param {Context} ctx
 * @returns {Promise<string>}
 */
async function versionOf({ port, signal }) {
  try {
    return (await port.adminCommand(BUILD_INFO)).version;
  } catch (cause) {
    const problem = mapServerError(cause, 'buildInfo', signal);
    if (!(problem instanceof TuneError) || problem.code !== 'TUNE-20001') throw problem;
    throw new TuneError(
      'TUNE-20001',
      'Which release to check for is not known: connect to a server, or give { version: ' +
        '"8.0.10" }.',
      { cause, allowed: '{ version }' },
    );
  }
}

/**
 * Reads the settings to which the string would be added, and the memory; null where they are not
 * known.
 * @param {Context} ctx
 */
async function settingsOf(ctx) {
  try {
    return await collectSettings(ctx);
  } catch (cause) {
    if (cause instanceof TuneError && (cause.code === 'TUNE-20006' || cause.code === 'TUNE-30009'))
      throw cause;
    return null;
  }
}

/**
 * @param {string} content
 * @param {number | null} position
 * @returns {number | null} counted from 1
 */
const lineOf = (content, position) =>
  position === null ? null : content.slice(0, position).split('\n').length;
