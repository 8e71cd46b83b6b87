'use strict';

const { callText } = require('../../base/pure/printable');
const { showChange } = require('../../config/change');
const { ofGroup } = require('../../change/pure/journal-groups');
const { mayBeEffective } = require('../../change/pure/undoable');
const { isThere } = require('./undo-places');

/**
 * @import { Change } from '../../base/types'
 * @import { Entry } from '../../change/pure/journal'
 * @import { Answering } from './undo-places'
 */

/**
 * Decides whether an undo, or the undo of that undo, leaves the members of a change alike.
 * @typedef {{ host: string, isSet: boolean }} Reached a member, and whether something is set there
 */

/**
 * @typedef {{ reached: readonly Reached[], answering: readonly Answering[], names: readonly string[] }}
 *   Members `answering`: the members of the set that answer now; `names`: all its members now
 */

/**
 * @param {readonly Entry[]} entries the entries before the undo
 * @param {string} id of the group that is undone
 * @param {Members} members
 * @returns {{ redo: string | null, warnings: string[] }} `redo`: the call instead of an undo of
 *   this undo, where that would set the change on some members only
 */
function redoOf(entries, id, members) {
  const { own, isRedo } = rootOf(entries, id);
  const hosts = members.reached.flatMap(({ host, isSet }) => (isSet || isRedo ? [host] : []));
  const now = namesNow(own, members);
  const rest = now.filter(({ then, name }) => !hosts.includes(name) && !keeps(own, members, then));
  if (rest.length === 0 || hosts.length === 0) return { redo: null, warnings: [] };
  /** @type {Change} */
  const change = Object.assign({}, ...own.map((entry) => entry.change));
  const all = callText('apply', change, { members: now.map(({ name }) => name) });
  if (!isRedo) return { redo: all, warnings: [] };
  const others = rest.map(({ name }) => name).join(', ');
  return {
    redo: null,
    warnings: [
      `This sets ${showChange(change)} on ${hosts.join(', ')} alone, not ${others}: the ` +
        `members will differ. ${all} shows a dry run on all.`,
    ],
  };
}

/**
 * Returns the names of the members that the set has now: a member may have left it, or have another
 * name.
 * @param {readonly Entry[]} own @param {Members} members
 * @returns {{ then: string, name: string }[]}
 */
const namesNow = (own, { answering, names }) =>
  (own[0]?.group?.members ?? []).flatMap((then) => {
    const entry = own.find(({ group }) => group?.member === then);
    const there = entry && answering.find((one) => isThere(entry, one));
    const name = there?.stop.place.host ?? then;
    return names.includes(name) ? [{ then, name }] : [];
  });

/**
 * Says whether a member that is not reached still has the change: a restart, which may be why it
 * does not answer, would have reverted it.
 * @param {readonly Entry[]} own
 * @param {Members} members
 * @param {string} member
 */
const keeps = (own, { reached, answering }, member) =>
  reached.every(({ host }) => host !== member) &&
  own.some(
    (entry) =>
      entry.group?.member === member &&
      mayBeEffective(entry) &&
      answering.some((one) => isThere(entry, one)),
  );

/**
 * @param {readonly Entry[]} entries
 * @param {string} id of a group
 * @returns {{ own: Entry[], isRedo: boolean }} the entries of the change that was undone, redone,
 *   …; `isRedo`: whether an undo of this group makes that change effective
 */
function rootOf(entries, id) {
  const own = ofGroup(entries, id);
  const earlier = entries.slice(0, entries.indexOf(own[0]));
  const undone = earlier.find((entry) => own.some(({ undoes }) => undoes === entry.id));
  if (undone?.group === undefined) return { own, isRedo: false };
  const root = rootOf(earlier, undone.group.id);
  return { own: root.own, isRedo: !root.isRedo };
}

/**
 * @param {readonly Entry[]} entries @param {string} id of a group
 * @returns {boolean} whether an undo of it makes a change effective
 */
const isRedo = (entries, id) => rootOf(entries, id).isRedo;

module.exports = { redoOf, isRedo };
