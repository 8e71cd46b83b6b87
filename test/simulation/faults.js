'use strict';

/**
 * Faults that are put back into the real code, one at a time, to see that the simulation finds them: a change of a module's text, or of what it gives out.
 * @typedef {{ what: string, patches: import('./load').Patch[] }} Fault
 */

/** @param {string} file @param {string | RegExp} from @param {string} to @returns {import('./load').Patch} */
const replaced = (file, from, to) => ({
  text(name, source) {
    if (name !== file) return source;
    const made = source.replace(from, to);
    if (made === source) throw new Error(`${file} has no ${from} any more: the fault is to be put in another way`);
    return made;
  },
});

/** @type {Readonly<Record<string, Fault>>} */
const FAULTS = Object.freeze({
  'no-lease-at-save': { what: 'the lease is not asked for where the state is written', patches: [replaced('split/state.js', "query: { _id: split._id, 'lease.owner': owner }", 'query: { _id: split._id }')] },
});

module.exports = { FAULTS, replaced };
