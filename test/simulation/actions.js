'use strict';

const { makeDice } = require('./random');
const { renamesWritesAndBack, undoesNextCut } = require('./by-hand');
const { STREAMS } = require('./streams');

/**
 * What others do meanwhile. Each action has a name, `x<n>`, and its moment: a time, or a message of
 * the first shell.
 */

/** @type {Record<string, number>} how often */
const WEIGHTS = Object.freeze({
  stepDown: 4,
  transaction: 3,
  build: 3,
  stall: 2,
  second: 7,
  kill: 2,
  pause: 3,
  interrupt: 1,
  oplog: 0.4,
  damage: 0.7,
  index: 0.5,
  ttl: 0.5,
  byHand: 2,
  byHandLost: 0.5,
  handRename: 0.7,
});
const VERBS = Object.freeze([
  'resume',
  'resume',
  'resume',
  'abort',
  'abort',
  'cutover',
  'rollback',
  'finish',
  'verify',
]);

/**
 * @param {any} sim
 * @param {{ max: number, messages: number, disabled: ReadonlySet<string> }} options `messages`:
 *   about so many the first shell sends
 */
function makeActions(sim, { max, messages, disabled }) {
  const dice = makeDice(sim.seed, STREAMS.actions);
  /** @type {any[]} */ const all = [];
  for (let i = 0; i < max; i += 1) all.push(draw(dice, i, messages));
  const planned = all.filter(({ name }) => !disabled.has(name));
  const byMessage = planned.filter(({ message }) => message !== null);
  for (const action of planned)
    if (action.message === null) sim.loop.after(action.ms, () => fire(action));
  /** @type {string[]} */ const taken = [];

  /** @param {any} action */
  function fire(action) {
    if (action.isDone || sim.isCalm) return;
    action.isDone = true;
    taken.push(`${action.name} ${action.kind} ${action.verb ?? action.which ?? ''}`);
    sim.trace?.('action', action, null, sim.loop.now);
    DO[action.kind](sim, action);
  }
  return {
    taken,
    /** @param {any} shell @param {number} n */
    onMessage(shell, n) {
      if (shell.number !== 0) return;
      for (const action of byMessage)
        if (!action.isDone && n >= action.message)
          sim.loop.after(action.laterMs, () => fire(action));
    },
  };
}

/** @param {any} dice @param {number} i @param {number} messages */
function draw(dice, i, messages) {
  let at = dice.next() * Object.values(WEIGHTS).reduce((sum, one) => sum + one, 0);
  const kind = Object.keys(WEIGHTS).find((one) => (at -= WEIGHTS[one]) < 0) ?? 'stall';
  const isByMessage = dice.chance(0.7);
  return {
    name: `x${i}`,
    kind,
    message: isByMessage ? dice.int(messages) : null,
    laterMs: dice.chance(0.5) ? 0 : dice.log(0.1, 3_000),
    ms: dice.log(1, 200_000),
    lastsMs: dice.log(5, 60_000),
    keep: dice.pick([0, 0, 0.5, 1]),
    skewMs: dice.chance(0.7) ? 0 : (dice.next() - 0.5) * 120_000,
    breaks: dice.chance(0.5),
    which:
      kind === 'build' || kind === 'damage' || kind === 'index' || kind === 'ttl'
        ? dice.pick(['source', 'renamedTo', 'target', 'stagingName'])
        : undefined,
    verb: kind === 'second' ? dice.pick(VERBS) : undefined,
    asleep: dice.chance(0.3),
    tries: 1 + dice.int(4),
    isDone: false,
  };
}

/** @param {any} sim @param {string} which @returns {string} namespace */
function nameOf(sim, which) {
  const split = [...(sim.server.state.find('tune.splits')?.docs.values() ?? [])][0];
  const { from, into } = sim.plan;
  if (which === 'source') return `${from.db}.${from.name}`;
  if (which === 'target') return `${into.db}.${into.name}`;
  if (!split) return `${from.db}.nobody`;
  return which === 'renamedTo'
    ? `${split.from.db}.${split.from.renamedTo}`
    : `${split.into.db}.${split.into.stagingName}`;
}

/** @type {Record<string, (sim: any, action: any) => void>} */
const DO = {
  stepDown: (sim, { lastsMs, keep, skewMs, breaks }) =>
    sim.server.stepDown({ ms: Math.min(15_000, lastsMs), keep, skewMs, breaks }),
  stall: (sim, { lastsMs }) => {
    sim.server.stalledUntil = sim.loop.now + 4 * lastsMs;
  },
  transaction(sim, { lastsMs, name }) {
    const transaction = sim.server.beginTransaction({ id: `other ${name}` });
    sim.loop.after(lastsMs, () => sim.server.endTransaction(transaction));
  },
  build(sim, { which, lastsMs, name }) {
    const ns = nameOf(sim, which);
    const thing = sim.server.state.find(ns);
    if (thing?.kind !== 'collection' || sim.server.died) return;
    // As createIndexes does: it needs its part of the lock to begin.
    sim.server.locks.take({ waitsForLock: false }, false, () => {
      if (sim.server.state.find(ns) === thing)
        sim.catalog.beginBuild(sim.server, thing, {
          indexes: [{ v: 2, key: { [name]: 1 }, name: `of_${name}` }],
          ms: lastsMs,
          who: 'dba',
        });
    });
  },
  index(sim, { which, name }) {
    const thing = sim.server.state.find(nameOf(sim, which));
    if (thing?.kind === 'collection')
      asOther(sim, () =>
        sim.server.state.change(thing, {
          indexes: [...thing.indexes, { v: 2, key: { [name]: 1 }, name: `of_${name}` }],
        }),
      );
  },
  second: (sim, { verb, tries }) => sim.second(verb, tries),
  byHand: (sim, { lastsMs, breaks }) => undoesNextCut(sim, breaks ? lastsMs / 1_000 : lastsMs),
  byHandLost: (sim, { lastsMs, breaks, skewMs }) =>
    undoesNextCut(sim, breaks ? lastsMs / 1_000 : lastsMs, 0.3 + (Math.abs(skewMs) % 7)),
  handRename: (sim, { lastsMs }) =>
    renamesWritesAndBack(sim, makeDice(sim.seed, STREAMS.actions + Math.floor(lastsMs * 1_000))),
  kill: (sim) => sim.shells[0].kill(),
  pause(sim, { lastsMs, asleep }) {
    const [shell] = sim.shells;
    const ms = 5 * lastsMs;
    shell.pause();
    sim.loop.after(ms, () => shell.goOn(asleep ? ms : 0));
  },
  interrupt: (sim) => sim.shells[0].deliver(() => sim.shells[0].interrupt.abort()),
  oplog(sim) {
    sim.server.state.oldest = sim.server.state.majority;
  },
  damage(sim, { which, breaks, name }) {
    const thing = sim.server.state.find(nameOf(sim, which));
    if (!thing || thing.building.length > 0) return;
    sim.checks.excuse('damaged');
    // Dropped, or given a name that nobody else has.
    asOther(sim, () =>
      breaks && thing.kind === 'collection'
        ? sim.server.state.rename(thing, `${thing.ns}_${name}`)
        : sim.catalog.dropThing(sim.server, thing),
    );
  },
  ttl(sim, { which }) {
    const thing = sim.server.state.find(nameOf(sim, which));
    if (
      thing?.kind !== 'collection' ||
      which === 'renamedTo' ||
      which === 'stagingName' ||
      thing.building.length > 0
    )
      return;
    livesLonger(sim, thing);
  },
};

/** Seconds. */
const LONGER_S = 1e6;

/** Its documents live longer from the answer on. @param {any} sim @param {any} thing */
function livesLonger(sim, { ns }) {
  const [db, ...name] = ns.split('.');
  const command = {
    collMod: name.join('.'),
    index: { name: 'at_1', expireAfterSeconds: LONGER_S },
    writeConcern: { w: 'majority' },
  };
  sim.server.receive(
    { db, command, who: 'dba' },
    (/** @type {any} */ error, /** @type {any} */ answer) => {
      // One that a majority may not have is no promise.
      if (!error && !answer.writeConcernError) sim.livesLonger = LONGER_S;
    },
  );
}

/** @param {any} sim @param {() => void} doIt */
function asOther({ server }, doIt) {
  server.state.actor = 'dba';
  try {
    doIt();
  } finally {
    server.state.actor = 'nobody';
  }
}

module.exports = { livesLonger, makeActions };
