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
 * @param {number | null} [lostMs] an election rolls it back so long after; null: none does
 */
function asDba({ server, loop }, doIt, lostMs = null) {
  server.lastOp += 1;
  Object.assign(server.state, { actor: 'dba', step: server.lastOp });
  doIt();
  Object.assign(server.state, { actor: 'nobody', step: 0 });
  if (lostMs === null) server.advance(server.state.newest);
  else loop.after(lostMs, () => server.stepDown({ ms: 5, keep: 0, skewMs: 0, breaks: true }));
}

/**
 * A write of theirs that a majority has.
 * @param {any} sim
 * @param {any} thing
 */
function writesAsDba(sim, thing) {
  const id = `dba${sim.writtenByHand.length}`;
  sim.server.state.put(thing, id, { _id: id, h: ['dba'] });
  sim.writtenByHand.push(id);
}

/** @param {any} sim @param {number | null} [lostMs] as in asDba */
function undoByHand(sim, lostMs = null) {
  const { server } = sim;
  withCutOff(sim, (seen) =>
    asDba(
      sim,
      () => {
        sim.catalog.dropThing(server, seen.view);
        server.state.rename(seen.data, seen.ns);
        // The cut had switched that off.
        for (const { name, expireAfterSeconds } of seen.ttl)
          sim.catalog.modify(server, seen.data, { index: { name, expireAfterSeconds } });
        if (lostMs === null) writesAsDba(sim, seen.data);
      },
      lostMs,
    ),
  );
}

/**
 * Once their lock is there, if nothing holds what is cut off.
 * @param {any} sim
 * @param {(seen: NonNullable<ReturnType<typeof cutOff>>) => void} act
 */
function withCutOff(sim, act) {
  const { server } = sim;
  server.locks.take({ waitsForLock: false }, false, () => {
    const seen = server.died || server.loop.now < server.electedAt ? null : cutOff(sim);
    const isHeld = [...server.locks.transactions].some(({ reads }) => reads?.has(seen?.data));
    if (seen && !isHeld && seen.data.building.length === 0) act(seen);
  });
}

/**
 * What is cut off gets another name, is written to there, and has the name of its cut again.
 * @param {any} sim
 */
function awayAndBack(sim) {
  const { state } = sim.server;
  withCutOff(sim, ({ data }) => {
    const { ns } = data;
    asDba(sim, () => {
      state.rename(data, `${ns.slice(0, ns.indexOf('.'))}.elsewhere`);
      writesAsDba(sim, data);
      state.rename(data, ns);
    });
  });
}

/**
 * Once the next cut is seen.
 * @param {any} sim
 * @param {number} laterMs
 * @param {number | null} [lostMs] as in asDba
 */
const undoesNextCut = (sim, laterMs, lostMs = null) =>
  afterNextCut(sim, laterMs, () => undoByHand(sim, lostMs));

/** @param {any} sim @param {number} laterMs @param {() => void} act */
function afterNextCut(sim, laterMs, act) {
  const { server } = sim;
  const seen = server.onChange;
  let isDone = false;
  const look = () => {
    if (isDone || !cutOff(sim)) return;
    isDone = true;
    sim.loop.after(laterMs, act);
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

/**
 * What takes the writes gets a name of the split, is written to there, and has its own again.
 * @param {any} sim
 * @param {any} dice
 */
function renamesWritesAndBack(sim, dice) {
  const { server } = sim;
  const { state } = server;
  const split = splitOf(sim);
  const ns = sim.publicNames.find((/** @type {string} */ one) => isActive(state.find(one)));
  if (!split || !ns || server.died || server.loop.now < server.electedAt) return;
  const thing = state.find(ns);
  const to = `${ns.slice(0, ns.indexOf('.'))}.${dice.pick(namesOf(split, ns))}`;
  server.locks.take({ waitsForLock: false }, false, () => {
    const isHeld = [...server.locks.transactions].some(({ reads }) => reads?.has(thing));
    if (isHeld || thing.building.length > 0 || state.find(ns) !== thing || state.find(to)) return;
    asDba(sim, () => {
      state.rename(thing, to);
      writesAsDba(sim, thing);
      state.rename(thing, ns);
    });
  });
}

/** @param {any} thing */
const isActive = (thing) => thing?.kind === 'collection' && thing.owner !== 'foreign';

/** @param {any} split @param {string} ns @returns {string[]} that a cut has, had or may have next */
function namesOf({ from, into, planId, renamed, formerNames, undoneCuts = [] }, ns) {
  const isSource = ns === `${from.db}.${from.name}`;
  const base = isSource ? `${from.name}__aside_${planId}` : `${into.name}__tune_${planId}`;
  return [
    isSource ? from.renamedTo : into.stagingName,
    ...undoneCuts.map((/** @type {{ name: string }} */ { name }) => name),
    ...formerNames,
    `${base}_${renamed}`,
    `${base}_${renamed + 1}`,
    'elsewhere',
  ];
}

module.exports = {
  afterNextCut,
  awayAndBack,
  renamesAndBack,
  renamesWritesAndBack,
  undoByHand,
  undoesNextCut,
};
