'use strict';

const { callText } = require('../base/pure/printable');
const { defineCommand } = require('../base/pure/command');
const { flag } = require('../base/pure/options');
const { many } = require('../base/pure/units');
const { readLines } = require('../change/journal');
const { flushLate } = require('../change/late-lines');
const { readServerRun } = require('../server/identity');
const { isOfSet } = require('../cluster/pure/of-set');
const { readIdentity } = require('../cluster/replica-set');
const { entriesOf, sameRun } = require('../change/pure/journal');
const { undoId } = require('../change/pure/journal-groups');
const { sets } = require('../change/pure/later-changes');
const { mayBeEffective, hasWayBack, isEndedByRestart } = require('../change/pure/undoable');
const { maybeSent } = require('../change/pure/way-back');
const { settingsIn } = require('../config/config-layers');
const { shownConfig } = require('../config/engine-config');
const { listReport } = require('../text/report');
const { mapServerError } = require('../base/server-errors');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Entry } from '../change/pure/journal'
 * @import { Identity } from '../server/pure/replica-set'
 * @import { Run } from '../server/types'
 * @import { Change, Context } from '../base/types'
 * @import { HistoryEntry } from './types'
 */

module.exports = defineCommand({
  name: 'history',
  group: 'Change',
  order: 5,
  takes: ['options'],
  usage: 'tune.history({ all })',
  summary: 'Lists the changes made with tune, and their outcome',
  options: {
    all: {
      check: flag(),
      default: false,
      description: 'of every server in the journal; needs no connection',
    },
  },
  examples: ['tune.history()', 'tune history --all'],
  changes: 'nothing',
  run: history,
});

/**
 * What was changed with tune, oldest first: on this server, or with `all` on every server this
 * computer has a journal of.
 * @param {Context} ctx
 * @param {{ all: boolean }} options
 * @returns {Promise<HistoryEntry[]>}
 * @throws {TuneError} TUNE-1xxxx, TUNE-20001 (not needed with `all`),
 *   TUNE-40002
 */
async function history(ctx, { all }) {
  flushLate(ctx.home);
  const { lines, garbled } = readLines(ctx.home);
  const found = entriesOf(lines);
  const run = await runOf(ctx, all);
  const is = all ? null : await setOf(ctx, found, run);
  const entries = found
    .filter((entry) => all || entry.host === run?.host || (is !== null && isOfSet(entry, is)))
    .map((entry) => historyEntry(entry, run, all));
  const notes =
    garbled === 0
      ? []
      : [`${many(garbled, 'line')} of the journal cannot be read; the rest is shown.`];
  const list = listReport(entries, (ink) =>
    require('../change/pure/history-text').renderHistory(
      { entries, notes, all, host: run?.host ?? null },
      ink,
    ),
  );
  return Object.defineProperty(list, 'notes', { value: notes });
}

/**
 * Identifies the run of the server that the shell is connected to.
 * @param {Context} ctx
 * @param {boolean} optional
 * @returns {Promise<Run | null>}
 */
async function runOf({ port, signal }, optional) {
  try {
    return await readServerRun(port);
  } catch (cause) {
    if (optional) return null;
    throw mapServerError(cause, 'serverStatus', signal);
  }
}

/**
 * Reads the replica set, but only where the journal has changes of other servers, which may be its
 * members.
 * @param {Context} ctx
 * @param {readonly Entry[]} entries
 * @param {Run | null} run
 * @returns {Promise<Identity | null>}
 */
async function setOf({ port, signal }, entries, run) {
  if (entries.every(({ host }) => host === run?.host)) return null;
  try {
    return await readIdentity(port);
  } catch (cause) {
    throw mapServerError(cause, 'hello', signal);
  }
}

/**
 * Shows an entry of the journal in the form of the history.
 * @param {Entry} entry
 * @param {Run | null} run
 * @param {boolean} all
 * @returns {HistoryEntry}
 */
function historyEntry(entry, run, all) {
  const {
    id,
    at,
    host,
    version,
    action,
    undoes,
    change,
    before,
    commands,
    sent,
    outcome,
    verified,
    reason,
    group,
    ticket,
    comment,
    result,
  } = entry;
  const active = mayBeEffective(entry);
  return {
    id,
    at,
    host,
    version,
    action,
    undoes,
    change,
    before,
    commands: commands.map(shownConfig),
    sent: sent.map(({ command }) => shownConfig(command)),
    outcome: isEnded(entry, run) ? 'ended-by-restart' : outcome,
    verified,
    reason,
    result: result ?? null,
    group: group?.id ?? null,
    ticket: ticket ?? null,
    comment: comment ?? null,
    undo: active && !isElsewhere(entry, run, all) && hasWayBack(entry) ? wayBack(entry) : null,
  };
}

/** @param {Entry} entry @param {Run | null} run */
const isEnded = (entry, run) =>
  mayBeEffective(entry) && run !== null && isEndedByRestart(entry, run);

/**
 * Whether the entry belongs to another run, or is a change of one member that was made on another
 * one.
 * @param {Entry} entry @param {Run | null} run @param {boolean} all
 */
const isElsewhere = ({ host, run: then, group }, run, all) =>
  run !== null && (host === run.host ? !sameRun(then, run) : !all && group === undefined);

/**
 * Finds the undo call; it needs force where another session set a value during the change.
 * @param {Entry} entry
 */
function wayBack(entry) {
  const change = settingsIn(maybeSent(entry).join(','));
  const force = (entry.external ?? []).some((text) => sets(text, change));
  return callText('undo', undoId(entry), { confirm: true, force });
}
