'use strict';

const { makeSlot } = require('./load');
const { makeChecks } = require('./invariants');
const { makeLink } = require('./link');
const { Loop } = require('./loop');
const { PLAN, movePlan } = require('./schedule');
const { Server } = require('./server');
const { Shell } = require('./shell');
const snapshot = require('./snapshot');

const NATURE = Object.freeze({ lagMs: () => 1, pauseMs: () => 0, endsAfter: () => -1, buildMs: () => 5 });
const SLOTS = 4;
const DOCUMENTS = 8;

/**
 * What all schedules begin with: the real code, loaded once for each shell, and what the server holds after `run` and after `cutover`.
 * @param {{ patches?: import('./load').Patch[], slots?: number }} [options]
 */
async function prepare({ patches = [] } = {}) {
  const slots = Array.from({ length: SLOTS }, () => makeSlot(patches));
  /** @type {Record<string, any>} */ const snapshots = {};
  /** @type {any} */ const sim = { seed: 1, loop: new Loop(), plan: PLAN, databases: ['app', 'app2'], publicNames: ['app.c', 'app2.c'], shells: [], apps: [], fates: { of: () => null, taken: [] } };
  sim.server = new Server(sim.loop, NATURE);
  sim.checks = makeChecks(sim);
  sim.link = makeLink(sim);
  const { state } = sim.server;
  state.actor = 'setup';
  const source = state.create('app.c', {});
  state.change(source, { indexes: [{ v: 2, key: { u: 1 }, name: 'u_1', unique: true, sparse: true }, { v: 2, key: { v: 1 }, name: 'v_1' }] });
  for (let i = 0; i < DOCUMENTS; i += 1) state.put(source, `a${i % 2}.${i}`, { _id: `a${i % 2}.${i}`, h: [`s${i}`], ...(i < 2 && { u: `u${i}` }) });
  state.actor = 'nobody';
  await sim.loop.run(() => sim.loop.left === 0);
  snapshots.planned = snapshot.take(sim);
  for (const [verb, phase] of [['run', 'following'], ['cutover', 'switched']]) {
    const shell = new Shell(sim, slots[0], { number: 9, host: 'zero', pid: 9, namespace: 0 });
    sim.shells.push(shell);
    const run = shell.command(verb, verb === 'run' ? movePlan(sim) : PLAN.id, { confirm: true });
    await sim.loop.run(() => run.state !== 'runs' && sim.loop.left === 0);
    if (run.state !== 'done') throw run.error ?? new Error(`${verb} came to no end`);
    shell.kill();
    snapshots[phase] = snapshot.take(sim);
  }
  return { slots, snapshots };
}

module.exports = { prepare };
