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
 * Whether an undo, or the undo of that undo, leaves the members of a change alike.
 * @typedef {{ host: string, isSet: boolean }} Reached a member, and whether something is set there
 */

/**
 * @param {readonly Entry[]} entries before the undo
 * @param {string} id of the group that is undone
 * @param {{ reached: readonly Reached[], answering: readonly Answering[] }} members `answering`: all
 *   of the set that answer now
 * @returns {{ redo: string | null, warnings: string[] }} `redo`: what to type instead of an undo of
 *   this undo, where that would set the change on some members alone
 */
function redoOf(entries, id, { reached, answering }) {
  const { own, isRedo } = rootOf(entries, id);
  const hosts = reached.flatMap(({ host, isSet }) => (isSet || isRedo ? [host] : []));
  const rest = (own[0]?.group?.members ?? []).filter(
    (member) => !hosts.includes(member) && !keeps(own, { reached, answering }, member),
  );
  if (rest.length === 0 || hosts.length === 0) return { redo: null, warnings: [] };
  /** @type {Change} */
  const change = Object.assign({}, ...own.map((entry) => entry.change));
  const all = callText('apply', change, { members: own[0].group?.members });
  if (!isRedo) return { redo: all, warnings: [] };
  return {
    redo: null,
    warnings: [
      `This sets ${showChange(change)} on ${hosts.join(', ')} alone, not ${rest.join(', ')}: the ` +
        `members will differ. ${all} previews it on all.`,
    ],
  };
}

/**
 * A member that is not reached, and has the change still: a restart, which its silence may be, would
 * have reverted it.
 * @param {readonly Entry[]} own
 * @param {{ reached: readonly Reached[], answering: readonly Answering[] }} members
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
 * @returns {{ own: Entry[], isRedo: boolean }} the change that was undone, redone, …; `isRedo`: whether
 *   an undo of this group makes it effective
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
