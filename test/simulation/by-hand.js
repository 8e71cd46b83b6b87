'use strict';

/**
 * Somebody who cannot wait for the split: drops the view that blocks the name that took the writes,
 * and gives the collection its name back.
 */

/** In these neither name takes writes, or may not. */
const CUT = Object.freeze({
  forward: ['cutting', 'draining', 'switching'],
  reverse: ['cutting-back', 'draining-back', 'switching-back'],
});

/** @param {any} sim */
const splitOf = (sim) => [...(sim.server.state.find('tune.splits')?.docs.values() ?? [])][0];

/**
 * @param {any} sim
 * @returns {{ ns: string, data: any, view: any, ttl: any[] } | null} what is cut off now
 */
function cutOff(sim) {
  const { state } = sim.server;
  if (sim.publicNames.some((/** @type {string} */ ns) => state.find(ns)?.kind === 'collection'))
    return null;
  const { from, into, phase, ttl } = splitOf(sim) ?? {};
  const place =
    (CUT.forward.includes(phase) && { ...from, aside: from.renamedTo }) ||
    (CUT.reverse.includes(phase) && { ...into, aside: into.stagingName });
  if (!place) return null;
  const ns = `${place.db}.${place.name}`;
  const [view, data] = [state.find(ns), state.find(`${place.db}.${place.aside}`)];
  if (!view || data?.kind !== 'collection') return null;
  return { ns, data, view, ttl: CUT.forward.includes(phase) ? ttl.forward : ttl.reverse };
}

/**
 * As one step, that most members have at once: what comes in between is what they risk.
 * @param {any} sim
 * @param {() => void} doIt
 */
function asDba({ server }, doIt) {
  server.state.actor = 'dba';
  doIt();
  server.state.actor = 'nobody';
  server.advance(server.state.newest);
}

/** @param {any} sim */
function undoByHand(sim) {
  const { server } = sim;
  server.locks.take({ waitsForLock: false }, false, () => {
    const seen = server.died || server.loop.now < server.electedAt ? null : cutOff(sim);
    const isHeld = [...server.locks.transactions].some(({ reads }) => reads?.has(seen?.data));
    if (!seen || isHeld || seen.data.building.length > 0) return;
    asDba(sim, () => {
      sim.catalog.dropThing(server, seen.view);
      server.state.rename(seen.data, seen.ns);
      // The cut had switched that off.
      for (const { name, expireAfterSeconds } of seen.ttl)
        sim.catalog.modify(server, seen.data, { index: { name, expireAfterSeconds } });
    });
  });
}

/**
 * Once the next cut is seen.
 * @param {any} sim
 * @param {number} laterMs
 */
function undoesNextCut(sim, laterMs) {
  const { server } = sim;
  const seen = server.onChange;
  let isDone = false;
  const look = () => {
    if (isDone || !cutOff(sim)) return;
    isDone = true;
    sim.loop.after(laterMs, () => undoByHand(sim));
  };
  server.onChange = (/** @type {any} */ change) => {
    seen(change);
    if (change.what === 'create') look();
  };
  look();
}

/**
 * What takes the writes gets the name that a cut would give it, and has its own again.
 * @param {any} sim
 */
function renamesAndBack(sim) {
  const { server } = sim;
  const split = splitOf(sim);
  const isForward = split?.phase === 'following';
  const { db, name, aside } = isForward
    ? { ...split.from, aside: split.from.renamedTo }
    : { ...split.into, aside: split.into.stagingName };
  const thing = server.state.find(`${db}.${name}`);
  asDba(sim, () => {
    server.state.rename(thing, `${db}.${aside}`);
    server.state.rename(thing, `${db}.${name}`);
  });
}

module.exports = { renamesAndBack, undoByHand, undoesNextCut };
