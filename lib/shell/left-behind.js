'use strict';

/**
 * Says, once in a shell, that another one ended in the middle of a change or a trial on this very run of the server.
 * @typedef {import('../context').Port} Port
 * @typedef {import('../model/journal').Entry} Entry
 */

/** Who is about it already. */
const SILENT = new Set(['undo', 'history', 'trial', 'auto', 'help']);

/**
 * @param {{ home: string, tell(text: string): void }} place `tell`: beside the answer, so that --json stays one document
 * @returns {(command: string, port: Port) => Promise<void>}
 */
function makeLeftBehind({ home, tell }) {
  /** @type {Set<string>} */
  const told = new Set();
  return async (command, port) => {
    if (SILENT.has(command)) return;
    const open = require('../apply/left-behind').leftBehind(home).filter(({ id }) => !told.has(id));
    if (open.length === 0) return;
    for (const entry of await ofThisRun(open, port)) {
      told.add(entry.id);
      tell(`tune: ${words(entry)}\n`);
    }
  };
}

/** A restart has taken the others back, and another server is not concerned. @param {Entry[]} open @param {Port} port */
async function ofThisRun(open, port) {
  try {
    const run = await require('../collect/server-run').readServerRun(port);
    const { sameRun } = require('../model/journal');
    return open.filter((entry) => sameRun(entry.run, run));
  } catch (_notConnected) {
    return [];
  }
}

/** @param {Entry} entry */
function words({ id, at, action, host, change }) {
  const { showChange } = require('../model/change');
  const what = { apply: 'a change', undo: 'an undo', trial: 'a trial' }[action];
  return `${what} of ${showChange(change)} on ${host} was left in the middle at ${at.slice(0, 16).replace('T', ' ')} UTC.\n  tune.undo("${id}") shows the way back, with { confirm: true } it goes it.`;
}

module.exports = { makeLeftBehind };
