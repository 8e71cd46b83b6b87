'use strict';

const { isCode } = require('../../base/pure/errors');
const { sameRun } = require('../../change/pure/journal');
const { CLOCK_MS } = require('../../change/pure/log-reach');

/**
 * @import { Entry } from '../../change/pure/journal'
 * @import { Run } from '../../server/types'
 */

/**
 * Finds the members of a change that is to be undone: a set may have given them other names, or
 * their names to other servers.
 * @typedef {{ place: { host: string }, set: { setId?: string | null } }} Stop
 * @typedef {{ stop: Stop, settings: { run: Run } }} Answering
 */

/**
 * @template {Answering} R
 * @param {readonly Entry[]} active
 * @param {readonly R[]} reached all members that answered, in their order
 * @param {readonly string[]} [silent] members that did not answer
 * @returns {{
 *   met: (R & { entry: Entry })[], restarted: { entry: Entry, host: string }[], missing: Entry[]
 * }} `met`: members whose changed process answers
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
 * Says whether the change knew a member by this name. A set may since have given the member another
 * name, and its name to a newer process: the changed process may be under a name that the change
 * did not know.
 * @param {string} host @param {Entry} entry
 */
const isOldName = (host, { group }) => (group?.names ?? group?.members)?.includes(host) === true;

/**
 * Says whether a member that is not found may still have its change: it has a place in the set, or
 * a member that does not answer may be it.
 * @param {Entry} entry @param {readonly { host: string, error: Error | null }[]} asked
 */
const mayKeep = (entry, asked) =>
  asked.some(
    ({ host, error }) => host === nameOf(entry) || (error !== null && !isOldName(host, entry)),
  );

/** @param {Entry} entry */
const nameOf = ({ group }) => String(group?.member);

/**
 * Says whether the changed process answers here: only what is new at each start identifies a
 * process anywhere.
 * @param {Entry} entry @param {Answering} there
 */
const isThere = (entry, { stop, settings: { run } }) =>
  sameRun(entry.run, run) && (stop.place.host === nameOf(entry) || run.processId !== null);

/**
 * Says whether the set is the changed one: behind a forwarded port, or after the same setup script,
 * another set may have the same names.
 * @param {Stop} stop @param {Entry} entry
 */
const isSameSet = ({ set: { setId = null } }, { group }) =>
  setId !== null && setId === (group?.setId ?? null);

/**
 * @param {Run} run @param {Entry} entry @returns {boolean} whether the run began after the change
 */
const isLater = ({ startedAtMs }, { atMs }) =>
  startedAtMs === null || startedAtMs + CLOCK_MS > atMs;

/**
 * @param {Entry} entry
 * @param {readonly { host: string, error: Error | null }[]} asked
 * @param {{ isRedo?: boolean }} [how] whether the reverted change would be an undo
 * @returns {string} why nothing is reverted there
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
