'use strict';

const { visible } = require('../base/pure/printable');
const { useColumns, MIN } = require('../text/wrap');
const { extendHelp } = require('./help');
const { interruptible } = require('./interrupt');
const { addressOf, connectTo } = require('./member-connection');
const { findState, whyNot, defaultHome } = require('./mongosh');
const { openerOf, shellSender, shellProvider, makePort } = require('./port');
const { listCommands } = require('./registry');
const { terminalOn, progressOn } = require('./terminal');
const { makeTune } = require('./tune');
const { reach } = require('./uri-connection');
const { registerWords, registerCompletion } = require('./words');

/**
 * @import { Port } from '../base/context'
 * @import { UnfinishedChange } from '../change/unfinished-changes'
 * @import { Table } from './registry'
 * @import { Environment, State } from './types'
 */

/**
 * Puts `tune` into a mongosh.
 * @param {any} shell the global object of mongosh
 * @param {Table} [table]
 * @throws {Error} where tune does not work in this shell; the message is the end of a sentence that
 *   says why
 */
function install(shell, table = listCommands()) {
  const state = /** @type {State} */ (findState(shell));
  const why = whyNot(state);
  if (why !== null) throw new Error(why);
  const environment = shellEnvironment(state);
  const tune = makeTune(table, environment);
  Object.defineProperty(shell, 'tune', {
    value: tune,
    writable: true,
    configurable: true,
    enumerable: true,
  });
  registerWords(state, tune, table, () =>
    environment.noticeUnfinished?.('', makePort(environment.send).port),
  );
  registerCompletion(table);
  extendHelp(shell, tune);
  return tune;
}

/** Makes the environment of commands in a mongosh. @param {State} state @returns {Environment} */
function shellEnvironment(state) {
  const { stdin, stdout, stderr } = process;
  const home = defaultHome();
  useColumns(() => (stdout.isTTY && stdout.columns) || MIN);
  return {
    send: shellSender(state),
    open: openerOf(() => shellProvider(state)),
    address: () => addressOf(shellProvider(state)),
    connect: (host) => connectTo(shellProvider(state), host),
    reach: (uri, ms) => reach(state.initialServiceProvider ?? shellProvider(state), uri, ms),
    home,
    noticeUnfinished: makeUnfinishedNotice({
      home,
      notify: (text) => {
        stderr.write(text);
      },
    }),
    // With --json all of stdout is one document: progress goes to stderr.
    terminal: state.cliOptions.json ? terminalOn(stderr) : terminalOn(stdout, stdin),
    progress: () => progressOn(stderr),
    guard: (job) => interruptible(state, stdout, job),
  };
}

/** These commands themselves show unfinished changes. */
const SILENT = new Set(['undo', 'history', 'trial', 'auto', 'help']);

/**
 * Makes a function that reports, once in a shell, that another shell ended in the middle of a
 * change or a trial on this very run of the server.
 * @param {{ home: string, notify(text: string): void }} environment `notify`: writes beside the
 *   answer, so that --json stays one document
 * @returns {(command: string, port: Port) => Promise<void>}
 */
function makeUnfinishedNotice({ home, notify }) {
  /** @type {Set<string>} */
  const reported = new Set();
  return async (command, port) => {
    if (SILENT.has(command)) return;
    const open = require('../change/unfinished-changes')
      .unfinishedChanges(home)
      .filter((entry) => !reported.has(keyOf(entry)));
    if (open.length === 0) return;
    for (const entry of await ofThisRun(open, port)) {
      if (reported.has(keyOf(entry))) continue;
      reported.add(keyOf(entry));
      notify(`tune: ${words(entry)}\n`);
    }
  };
}

/**
 * Selects the changes of this run of the server, and those of several members of its set. A restart
 * has reverted all others, or they belong to another server of that name.
 * @param {UnfinishedChange[]} open
 * @param {Port} port
 */
async function ofThisRun(open, port) {
  try {
    const run = await require('../server/identity').readServerRun(port);
    const { sameRun } = require('../change/pure/journal');
    const others = open.filter((entry) => entry.group && !sameRun(entry.run, run));
    const is = others.length > 0 && (await require('../cluster/replica-set').readIdentity(port));
    const { isOfSet } = require('../cluster/pure/of-set');
    return open.filter((entry) => sameRun(entry.run, run) || (is && isOfSet(entry, is)));
  } catch (_notConnected) {
    return [];
  }
}

/** Changes that are undone together are reported together. @param {UnfinishedChange} entry */
const keyOf = (entry) => require('../change/pure/journal-groups').undoId(entry);

/** Describes one unfinished change in a sentence. @param {UnfinishedChange} entry */
function words(entry) {
  const { at, action, host, change, group, wayBack } = entry;
  const { showChange } = require('../config/change');
  const what = { apply: 'a change', undo: 'an undo', trial: 'a trial' }[action];
  const where = group ? `${group.members.length} members` : visible(String(host));
  return (
    `${what} of ${showChange(change)} on ${where} was left in the middle at ` +
    `${visible(at.slice(0, 16).replace('T', ' '))} UTC.\n  ` +
    `tune.undo("${visible(wayBack)}") shows a dry run of the undo; add { confirm: true } to run it.`
  );
}

module.exports = { install, shellEnvironment, makeUnfinishedNotice };
