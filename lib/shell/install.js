'use strict';

const { makeTune } = require('./tune');
const { findState } = require('./state');
const { openerOf, shellSender, shellProvider, makePort } = require('./port');
const { addressOf } = require('./address');
const { connectTo } = require('./connect');
const { reach } = require('./reach');
const { makeLeftBehind } = require('./unfinished-notice');
const { terminalOn, progressOn } = require('./terminal');
const { defaultHome } = require('./journal-home');
const { interruptible } = require('./interrupt');
const { registerWords } = require('./command-words');
const { registerCompletion } = require('./completion');
const { extendHelp } = require('./help-word');
const { whyNot } = require('./supported');

/**
 * @import { Place } from './bind'
 * @import { State } from './state'
 * @import { Table } from './table'
 */

/**
 * Puts `tune` into a mongosh.
 * @param {any} shell its global object
 * @param {Table} table
 * @throws {Error} where the shell is none that tune works in: the end of a sentence that says why
 */
function install(shell, table) {
  const state = /** @type {State} */ (findState(shell));
  const why = whyNot(state);
  if (why !== null) throw new Error(why);
  const place = shellPlace(state);
  const tune = makeTune(table, place);
  Object.defineProperty(shell, 'tune', {
    value: tune,
    writable: true,
    configurable: true,
    enumerable: true,
  });
  registerWords(state, tune, table, () => place.leftBehind?.('', makePort(place.send).port));
  registerCompletion(table);
  extendHelp(shell, tune);
  return tune;
}

/** @param {State} state @returns {Place} */
function shellPlace(state) {
  const { stdin, stdout, stderr } = process;
  const home = defaultHome();
  return {
    send: shellSender(state),
    open: openerOf(() => shellProvider(state)),
    address: () => addressOf(shellProvider(state)),
    connect: (host) => connectTo(shellProvider(state), host),
    reach: (uri, ms) => reach(state.initialServiceProvider ?? shellProvider(state), uri, ms),
    home,
    leftBehind: makeLeftBehind({
      home,
      notify: (text) => {
        stderr.write(text);
      },
    }),
    // With --json all of stdout is one document: what is shown on the way goes beside it.
    terminal: state.cliOptions.json ? terminalOn(stderr) : terminalOn(stdout, stdin),
    progress: () => progressOn(stderr),
    guard: (job) => interruptible(state, stdout, job),
  };
}

module.exports = { install, shellPlace };
