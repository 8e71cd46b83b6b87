'use strict';

const fs = require('node:fs');
const { checksOf } = require('../base/pure/command');
const { TuneError } = require('../base/pure/errors');
const { flag, text } = require('../base/pure/options');
const { renderPlugin, renderUnable } = require('../check/pure/check-text');
const { listCommands } = require('./registry');
const { runScript } = require('./script');

/**
 * @import { OptionTable } from '../base/pure/options'
 * @import { Script } from './types'
 */

/**
 * The scripts for mongosh --file (docs/runbook.md): each is a command, with its options as
 * environment variables.
 * @typedef {Pick<Script, 'needsServer' | 'patienceSeconds' | 'run' | 'text' | 'unable'> & {
 *   own?: OptionTable, without?: readonly string[], seconds?: number
 * }} Declared `own`: options that the command does not have, or declares otherwise; `without`:
 *   options of the command that the script does not have; `seconds`: by default those of the
 *   command
 */

/** @type {Readonly<Record<string, Declared>>} */
const SCRIPTS = Object.freeze({
  advise: { needsServer: true, patienceSeconds: 60, run: (tune, options) => tune.advise(options) },
  check: {
    needsServer: true,
    patienceSeconds: 20,
    run: (tune, options) => tune.check(options),
    text: renderPlugin,
    unable: ({ message }) => renderUnable(message),
  },
  drift: { needsServer: true, patienceSeconds: 90, run: (tune, options) => tune.drift(options) },
  fleet: {
    needsServer: false,
    patienceSeconds: 3600,
    own: { list: text(), ndjson: flag() },
    // `json` of a script means one document; `json` of the command is `ndjson` here.
    without: ['json'],
    run: (tune, { list, ndjson, ...options }) =>
      tune.fleet(required('fleet', 'TUNE_LIST', list, 'the file that lists the servers'), {
        ...options,
        json: ndjson,
      }),
  },
  ftdc: {
    needsServer: false,
    patienceSeconds: 600,
    own: { path: text() },
    run: (tune, { path, ...span }) =>
      tune.ftdc(required('ftdc', 'TUNE_PATH', path, 'the place of diagnostic.data'), span),
  },
  'host-collect': { needsServer: false, patienceSeconds: 30, run: (tune) => tune.host.collect() },
  incident: {
    needsServer: false,
    patienceSeconds: 600,
    own: { bundle: text() },
    run: (tune, { bundle, ...options }) =>
      bundle === undefined ? tune.incident(options) : tune.incident(bundle, options),
  },
  members: {
    needsServer: true,
    seconds: 30,
    patienceSeconds: 120,
    run: (tune, options) => tune.members(options),
  },
  metrics: {
    needsServer: true,
    patienceSeconds: 30,
    run: (tune, options) => tune.metrics(options),
    unable: () => {
      noteFailure(process.env);
      return '';
    },
  },
  report: {
    needsServer: false,
    patienceSeconds: 300,
    own: { output: text(), answer: text() },
    without: ['of'],
    run: (tune, { output, answer: of, ...options }) =>
      tune.report(required('report', 'TUNE_OUTPUT', output, 'the name of the page to write'), {
        ...options,
        ...(of === undefined ? {} : { of }),
      }),
  },
  status: { needsServer: true, patienceSeconds: 30, run: (tune, options) => tune.status(options) },
  who: { needsServer: true, patienceSeconds: 60, run: (tune, options) => tune.who(options) },
});

/**
 * Runs a script by its name. The files in snippets call this; they are short because mongosh
 * rewrites them.
 * @param {any} globalObject the global object of mongosh
 * @param {string} name
 */
const run = (globalObject, name) => runScript(globalObject, scriptOf(name));

/** Makes a script with the options of its command. @param {string} name @returns {Script} */
function scriptOf(name) {
  const { own = {}, without = [], ...script } = SCRIPTS[name];
  const [first, ...below] = name.split('-');
  const listed = below.reduce((one, part) => one.commands[part], listCommands()[first]);
  const { options } = listed.load();
  const checks = Object.entries(checksOf(options)).filter(([option]) => !without.includes(option));
  return {
    name,
    seconds: Number(options.seconds?.default ?? 0),
    ...script,
    options: { ...Object.fromEntries(checks), ...own },
  };
}

/**
 * Refuses a variable that is required and missing.
 * @template T
 * @param {string} script
 * @param {string} variable
 * @param {T | undefined} value
 * @param {string} what the meaning of the variable
 * @returns {T}
 * @throws {TuneError} TUNE-10004
 */
function required(script, variable, value, what) {
  if (value !== undefined) return value;
  throw new TuneError('TUNE-10004', `${script}.js: ${variable} is missing, ${what}.`, {
    allowed: variable,
  });
}

/**
 * Writes a failure into the metrics file. Without a connection tune.metrics() is never called, and
 * the figures of the run before must not stay.
 * @param {NodeJS.ProcessEnv} env
 */
function noteFailure({
  TUNE_OUTPUT: file,
  TUNE_SERVER_NAME: name,
  TUNE_URI: uri,
  TUNE_URI_FILE: uriFile,
}) {
  if (!file) return;
  const { targetOf } = require('../report/metrics-file');
  const { writeFailure } = require('../report/metrics-file');
  try {
    writeFailure(targetOf(file), name || undefined, uri || readOr(uriFile, ''));
  } catch (_unwritable) {
    // stderr already says what is wrong with the file, or why there was no connection.
  }
}

/** Reads the text of a file. @param {string | undefined} file @param {string} otherwise */
function readOr(file, otherwise) {
  try {
    return file ? fs.readFileSync(file, 'utf8').trim() : otherwise;
  } catch (_unreadable) {
    return otherwise;
  }
}

module.exports = { run, scriptOf, SCRIPTS };
