'use strict';

const { visible } = require('../base/pure/visible');

/**
 * @import { Port } from '../base/context'
 * @import { LeftBehind } from '../change/unfinished-changes'
 */

/**
 * Says, once in a shell, that another one ended in the middle of a change or a trial on this very
 * run of the server.
 * @typedef {LeftBehind} Entry
 */

/** Who is about it already. */
const SILENT = new Set(['undo', 'history', 'trial', 'auto', 'help']);

/**
 * @param {{ home: string, notify(text: string): void }} place `notify`: beside the answer, so that
 *   --json stays one document
 * @returns {(command: string, port: Port) => Promise<void>}
 */
function makeLeftBehind({ home, notify }) {
  /** @type {Set<string>} */
  const reported = new Set();
  return async (command, port) => {
    if (SILENT.has(command)) return;
    const open = require('../change/unfinished-changes')
      .leftBehind(home)
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
 * A restart has taken the others back, and another server is not concerned.
 * @param {Entry[]} open
 * @param {Port} port
 */
async function ofThisRun(open, port) {
  try {
    const run = await require('../server/identity').readServerRun(port);
    const { sameRun } = require('../change/pure/journal');
    const { me } = open.some(({ group }) => group)
      ? await port.adminCommand({ hello: 1 })
      : { me: null };
    return open.filter((entry) => sameRun(entry.run, run) || entry.group?.members.includes(me));
  } catch (_notConnected) {
    return [];
  }
}

/** What is undone as one is told as one. @param {Entry} entry */
const keyOf = ({ id, group }) => group?.id ?? id;

/** @param {Entry} entry */
function words(entry) {
  const { at, action, host, change, group, wayBack } = entry;
  const { showChange } = require('../config/change');
  const what = { apply: 'a change', undo: 'an undo', trial: 'a trial' }[action];
  const where = group ? `${group.members.length} members` : visible(String(host));
  return (
    `${what} of ${showChange(change)} on ${where} was left in the middle at ` +
    `${visible(at.slice(0, 16).replace('T', ' '))} UTC.\n  ` +
    `tune.undo("${visible(wayBack)}") shows the way back, with { confirm: true } it goes it.`
  );
}

module.exports = { makeLeftBehind };
