'use strict';

const { makeSlot } = require('./load');
const { makeChecks } = require('./invariants');
const { makeLink } = require('./link');
const { Loop } = require('./loop');
const { PLAN, movePlan } = require('./schedule');
const { Server } = require('./server');
const { Shell } = require('./shell');
const snapshot = require('./snapshot');

/**
 * @import { Patch } from './load'
 */

const NATURE = Object.freeze({
  lagMs: () => 1,
  pauseMs: () => 0,
  endsAfter: () => -1,
  buildMs: () => 5,
});
/** Two that act, one that ends it all, one that comes after a dead one, two guardians. */
const SLOTS = 6;
const DOCUMENTS = 8;
/** Documents that go by themselves, and after how many seconds. */
const EXPIRING = 3;
const TTL_S = 150;

/**
 * What all schedules begin with: the real code, loaded once for each shell, and what the server
 * holds after `run` and after `cutover`.
 * @param {{ patches?: Patch[], slots?: number }} [options]
 */
async function prepare({ patches = [] } = {}) {
  const slots = Array.from({ length: SLOTS }, () => makeSlot(patches));
  /** @type {Record<string, any>} */ const snapshots = {};
  const sim = emptyWorld();
  const { state } = sim.server;
  state.actor = 'setup';
  const source = state.create('app.c', {});
  state.change(source, {
    indexes: [
      { v: 2, key: { u: 1 }, name: 'u_1', unique: true, sparse: true },
      { v: 2, key: { at: 1 }, name: 'at_1', expireAfterSeconds: TTL_S },
    ],
  });
  for (let i = 0; i < DOCUMENTS; i += 1)
    state.put(source, `a${i % 2}.${i}`, {
      _id: `a${i % 2}.${i}`,
      h: [`s${i}`],
      ...(i < 2 && { u: `u${i}` }),
    });
  for (let i = 0; i < EXPIRING; i += 1)
    state.put(source, `t.${i}`, {
      _id: `t.${i}`,
      h: ['t'],
      at: new Date(sim.loop.now + i * 30_000),
    });
  state.actor = 'nobody';
  await sim.loop.run(() => sim.loop.left === 0);
  snapshots.planned = snapshot.take(sim);
  for (const [verb, phase] of [
    ['run', 'following'],
    ['cutover', 'switched'],
  ]) {
    const shell = new Shell(sim, slots[0], {
      number: verb === 'run' ? 20 : 21,
      host: 'zero',
      pid: 9,
      namespace: 0,
    });
    sim.shells.push(shell);
    const run = shell.command(verb, verb === 'run' ? movePlan(sim) : PLAN.id, {
      confirm: true,
      ...(verb === 'cutover' && { guardian: false }),
    });
    await sim.loop.run(() => run.state !== 'runs' && sim.loop.left === 0);
    if (run.state !== 'done') throw run.error ?? new Error(`${verb} came to no end`);
    shell.kill();
    snapshots[phase] = snapshot.take(sim);
  }
  for (const [phase, of] of [
    ['cutting', 'following'],
    ['cutting-back', 'switched'],
  ])
    snapshots[phase] = await left(slots, snapshots[of], phase);
  return { slots, snapshots };
}

/**
 * A shell died while a transaction held up its cut, some time ago; applications have gone on
 * writing.
 * @param {any[]} slots
 * @param {any} before
 * @param {string} phase
 */
async function left(slots, before, phase) {
  const sim = emptyWorld();
  snapshot.restore(sim, before);
  const { state } = sim.server;
  const transaction = sim.server.beginTransaction({ id: 'in the way' });
  const shell = new Shell(sim, slots[0], { number: 22, host: 'zero', pid: 8, namespace: 0 });
  sim.shells.push(shell);
  shell.command(phase === 'cutting' ? 'cutover' : 'rollback', PLAN.id, {
    confirm: true,
    guardian: false,
  });
  const split = () => [...state.find('tune.splits').docs.values()][0];
  await sim.loop.run(() => split().phase === phase && sim.loop.now - before.now > 3_000);
  shell.kill();
  sim.server.endTransaction(transaction);
  state.actor = 'app';
  const thing = state.find(phase === 'cutting' ? 'app.c' : 'app2.c');
  for (const doc of [...thing.docs.values()].slice(0, 5))
    state.put(thing, doc._id, { ...doc, h: [...doc.h, 'meanwhile'] });
  sim.loop.after(100_000, () => {});
  await sim.loop.run(() => sim.loop.left === 0);
  if (split().phase !== phase) throw new Error(`it is ${split().phase} and not ${phase}`);
  return snapshot.take(sim);
}

/** @returns {any} */
function emptyWorld() {
  const sim = {
    seed: 1,
    known: new Set(),
    loop: new Loop(),
    plan: PLAN,
    databases: ['app', 'app2'],
    publicNames: ['app.c', 'app2.c'],
    shells: /** @type {any[]} */ ([]),
    apps: [],
    fates: { of: () => null, taken: [] },
    server: /** @type {any} */ (null),
    checks: /** @type {any} */ (null),
    link: /** @type {any} */ (null),
  };
  sim.server = new Server(sim.loop, NATURE);
  sim.checks = makeChecks(sim);
  sim.link = makeLink(sim);
  return sim;
}

module.exports = { prepare };
