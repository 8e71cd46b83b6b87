'use strict';

/**
 * Changes of several members that were made as one.
 * @typedef {import('./journal').Entry} Entry
 */

/**
 * @param {readonly Entry[]} entries
 * @param {string} id
 * @returns {Entry[]} of that group; none where it is the id of no group
 */
const ofGroup = (entries, id) => entries.filter(({ group }) => group?.id === id);

/**
 * A shell that ended between two members has changed some of them and never begun with the others.
 * @param {readonly Entry[]} entries @param {string} id
 * @returns {string[]} the members that were to be changed, and that nothing was begun with
 */
function neverBegun(entries, id) {
  const found = ofGroup(entries, id);
  const begun = new Set(found.map(({ group }) => group?.member));
  return (found[0]?.group?.members ?? []).filter((member) => !begun.has(member));
}

/**
 * @param {readonly Entry[]} entries
 * @returns {Entry[]} of each group that ended between two members the last one that was changed
 */
function cutShort(entries) {
  const ids = new Set(entries.flatMap(({ group }) => (group ? [group.id] : [])));
  return [...ids]
    .filter((id) => neverBegun(entries, id).length > 0)
    .flatMap((id) => ofGroup(entries, id).findLast(({ outcome }) => outcome === 'applied') ?? []);
}

module.exports = { ofGroup, neverBegun, cutShort };
