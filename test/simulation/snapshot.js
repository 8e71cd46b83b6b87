'use strict';

/** What a server holds at one moment, to begin many schedules there. */

/** @param {any} sim */
function take({ server, loop }) {
  const { state } = server;
  if (state.majority !== state.newest) throw new Error('a majority lacks something');
  const things = [...state.names.values()].map((thing) => ({
    ...thing,
    docs: new Map(thing.docs),
  }));
  return {
    things,
    newest: state.newest,
    made: state.made,
    entries: state.entries.map((/** @type {any} */ entry) => ({ ...entry, undo: null })),
    now: loop.now,
  };
}

/** @param {any} sim @param {ReturnType<typeof take>} snapshot */
function restore({ server, loop }, { things, newest, made, entries, now }) {
  const { state } = server;
  loop.now = now;
  for (const thing of things)
    state.names.set(thing.ns, { ...thing, docs: new Map(thing.docs), building: [] });
  Object.assign(state, { newest, made, majority: newest, entries: [...entries] });
}

module.exports = { take, restore };
