'use strict';

const { isCode } = require('../../base/pure/errors');
const { sameRun } = require('../../change/pure/journal');

/**
 * @import { Entry } from '../../change/pure/journal'
 * @import { Run } from '../../server/types'
 */

/**
 * Where the members of a change are that is to be undone: a set may have given them other names, or
 * their names to other servers.
 * @typedef {{ place: { host: string }, set: { setId?: string | null } }} Stop
 * @typedef {{ stop: Stop, settings: { run: Run } }} Answering
 */

/** Milliseconds. Clocks are corrected, and a start is computed from the uptime. */
const CLOCK_MS = 10_000;

/**
 * @template {Answering} R
 * @param {readonly Entry[]} active
 * @param {readonly R[]} reached of all members, in their order
 * @param {readonly string[]} [silent] members that did not answer
 * @returns {{
 *   met: (R & { entry: Entry })[], restarted: { entry: Entry, host: string }[], missing: Entry[]
 * }} `met`: on the process that was changed
 */
function meet(active, reached, silent = []) {
  const met = reached.flatMap((one) =>
    active.filter((entry) => isThere(entry, one)).map((entry) => ({ ...one, entry })),
  );
  const others = active.filter(({ id }) => met.every(({ entry }) => entry.id !== id));
  const restarted = others.flatMap((entry) => {
    const there = reached.find(({ stop }) => stop.place.host === nameOf(entry));
    return there !== undefined &&
      isSameSet(there.stop, entry) &&
      isLater(there.settings.run, entry) &&
      silent.every((host) => isOldName(host, entry))
      ? [{ entry, host: there.stop.place.host }]
      : [];
  });
  const missing = others.filter(({ id }) => restarted.every(({ entry }) => entry.id !== id));
  return { met, restarted, missing };
}

/**
 * A set may have given a member another name since, and its name to a newer process: under a name
 * that the change did not know, the changed process may be.
 * @param {string} host @param {Entry} entry
 */
const isOldName = (host, { group }) => (group?.names ?? group?.members)?.includes(host) === true;

/**
 * Whether a member that is not found may have its change still: it has a place in the set, or one
 * that is silent may be it.
 * @param {Entry} entry @param {readonly { host: string, error: Error | null }[]} asked
 */
const mayKeep = (entry, asked) =>
  asked.some(
    ({ host, error }) => host === nameOf(entry) || (error !== null && !isOldName(host, entry)),
  );

/** @param {Entry} entry */
const nameOf = ({ group }) => String(group?.member);

/**
 * Only what is new at each start identifies a process anywhere.
 * @param {Entry} entry @param {Answering} there
 */
const isThere = (entry, { stop, settings: { run } }) =>
  sameRun(entry.run, run) && (stop.place.host === nameOf(entry) || run.processId !== null);

/**
 * Behind a forwarded port, or after the same setup script, another set may have the same names.
 * @param {Stop} stop @param {Entry} entry
 */
const isSameSet = ({ set: { setId = null } }, { group }) =>
  setId !== null && setId === (group?.setId ?? null);

/** @param {Run} run @param {Entry} entry @returns {boolean} it began after the change */
const isLater = ({ startedAtMs }, { atMs }) =>
  startedAtMs === null || startedAtMs + CLOCK_MS > atMs;

/**
 * @param {Entry} entry
 * @param {readonly { host: string, error: Error | null }[]} asked
 * @param {{ isRedo?: boolean }} [how] whether an undo is what would be taken back
 * @returns {string} why nothing is taken back there
 */
function missingWords(entry, asked, { isRedo = false } = {}) {
  const host = nameOf(entry);
  const there = asked.find((one) => one.host === host);
  if (there?.error)
    return (
      `${host} ${isCode(there.error, 'TUNE-20005') ? 'refuses this login' : 'does not answer'}, so ` +
      `${isRedo ? 'the undo stays there' : 'its change stays'} until you run this again: ` +
      there.error.message
    );
  const silent = asked.filter(({ error }) => error !== null).map((one) => one.host);
  const unless = (/** @type {string} */ it, /** @type {readonly string[]} */ names) =>
    names.length === 0
      ? ''
      : ` If ${it} ${names.join(' or ')}, which does not answer, run this again.`;
  if (there)
    return (
      `Another process now answers at ${host}, and it is not certain that it is the same member ` +
      'after a restart. Nothing is undone there; its change stays in the journal.' +
      unless(
        `${host} is now`,
        silent.filter((name) => !isOldName(name, entry)),
      )
    );
  return `${host} is no longer a member, so nothing is undone there.${unless('it is', silent)}`;
}

module.exports = { meet, mayKeep, isThere, missingWords };
