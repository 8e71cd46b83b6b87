'use strict';

const { makeLink } = require('./link');
const { Loop } = require('./loop');
const { makeDice } = require('./random');
const { Server } = require('./server');
const { Shell } = require('./shell');
const { Uuid } = require('./values');

/**
 * Splits one after the other among four databases, of two collections: old and later splits of the
 * same names, each command whole or by a shell that dies in it.
 */

const NAMES = Object.freeze(['app.c', 'app2.c', 'app3.c', 'app4.c']);
const NATURE = Object.freeze({
  lagMs: () => 1,
  pauseMs: () => 0,
  endsAfter: () => -1,
  buildMs: () => 5,
});
const STEPS = 14;
/** Each ends what is left; more are not needed. */
const ROUNDS = 12;
/** In these neither name may take writes. */
const CUT = /cutting|draining|switching|aborting/;
/** By whom the next command is, and the phase at whose save its shell dies. @type {any[][]} */
const COMMANDS = [
  ['cutover', ['cutting', 'draining', 'switching', 'switched']],
  ['cutover', ['cutting', 'draining', 'switching', 'switched']],
  ['rollback', ['cutting-back', 'draining-back', 'switching-back', 'rolled-back']],
  ['finish', ['finished']],
  ['finish', ['finished']],
  ['abort', ['aborted']],
  ['abort', ['aborted']],
  ['resume', ['switched']],
];

/** @param {number} seed @param {any[]} slots @returns {any} */
function makeWorld(seed, slots) {
  const sim = {
    seed,
    loop: new Loop(),
    databases: NAMES.map((ns) => ns.split('.')[0]),
    publicNames: NAMES,
    shells: /** @type {any[]} */ ([]),
    slots,
    dice: makeDice(seed, 5),
    plans: 0,
    dies: /** @type {string | null} */ (null),
    found: /** @type {string[]} */ ([]),
    fates: /** @type {any} */ ({ taken: [] }),
    checks: /** @type {any} */ (null),
    server: /** @type {any} */ (null),
    link: /** @type {any} */ (null),
    sets: /** @type {Map<string, string>[]} */ ([]),
  };
  sim.fates.of = (
    /** @type {any} */ _shell,
    /** @type {any} */ _n,
    /** @type {any} */ { command },
  ) =>
    sim.dies && command.findAndModify && command.update.$set?.phase === sim.dies
      ? { kind: 'killed', isLost: true }
      : null;
  sim.checks = {
    excuse() {},
    wrong: (/** @type {string} */ kind, /** @type {string} */ text) =>
      sim.found.push(`${kind}: ${text}`),
  };
  sim.server = new Server(sim.loop, NATURE);
  sim.link = makeLink(sim);
  sim.sets = ['app.c', 'app3.c'].map((ns, k) => {
    const thing = sim.server.state.create(ns);
    const ids = new Map();
    for (let i = 0; i < 3; i += 1) putDocument(sim, { thing, ids, id: `${k}.${i}` });
    return ids;
  });
  return sim;
}

/** @param {any} sim @param {{ thing: any, ids: Map<string, string>, id: string }} what */
function putDocument({ server }, { thing, ids, id }) {
  server.state.put(thing, id, { _id: id, h: ['written'] });
  server.advance(server.state.newest);
  ids.set(id, 'written');
}

/** @param {any} sim @returns {any[]} */
const splitsOf = ({ server }) => [...(server.state.find('tune.splits')?.docs.values() ?? [])];
/** @param {any} thing @param {Map<string, string>} ids */
const isOf = (thing, ids) => thing?.kind === 'collection' && thing.docs.has([...ids.keys()][0]);
/** @param {any} thing @param {Map<string, string>} ids */
const isWhole = (thing, ids) =>
  isOf(thing, ids) && [...ids.keys()].every((id) => thing.docs.has(id));
/** @param {any} sim @param {Map<string, string>} ids @returns {any[]} */
const activeOf = ({ server }, ids) =>
  NAMES.map((ns) => server.state.find(ns)).filter((thing) => isOf(thing, ids));

/** @param {any} sim @param {string} verb @param {any[]} args @param {string | null} dies */
async function give(sim, verb, args, dies = null) {
  const number = 100 + sim.shells.length;
  const slot = sim.slots[number % sim.slots.length];
  const shell = new Shell(sim, slot, { number, host: 'h', pid: number, namespace: 0 });
  sim.shells.push(shell);
  sim.dies = dies;
  sim.loop.events = 0;
  const run = shell.command(verb, ...args);
  await sim.loop.run(() => run.state !== 'runs' || !shell.isAlive);
  // Who comes next waits until the lease of a dead shell is over.
  if (!shell.isAlive) sim.loop.after(60_000, () => {});
  shell.kill();
  sim.dies = null;
  await sim.loop.run(() => sim.loop.left === 0);
  if (run.error?.code === 'TUNE-10001') throw run.error;
  check(sim, verb);
}

/** @param {string} verb @param {boolean} [open] */
const optionsOf = (verb, open = false) =>
  verb === 'finish' ? { confirm: true, open } : { confirm: true, guardian: false };

/** @param {any} sim @param {string} verb */
function check(sim, verb) {
  const isCut = splitsOf(sim).some(({ phase, reopened }) => CUT.test(phase) || reopened);
  for (const ids of sim.sets) {
    const active = activeOf(sim, ids);
    const all = [...sim.server.state.names.values()].filter((thing) => isWhole(thing, ids));
    if (all.length === 0) sim.found.push(`lost after ${verb}`);
    if (active.length > 1) sim.found.push(`two names take writes after ${verb}`);
    if (active.some((thing) => !isWhole(thing, ids))) sim.found.push(`incomplete after ${verb}`);
    if (active.length === 0 && !isCut) sim.found.push(`no name takes writes after ${verb}`);
  }
}

/** A split of what takes writes now, to another of the names. @param {any} sim */
async function begin(sim) {
  const active = sim.sets.flatMap((/** @type {any} */ ids) => activeOf(sim, ids));
  if (active.length === 0) return;
  const source = sim.dice.pick(active);
  sim.plans += 1;
  const move = {
    ns: source.ns,
    into: sim.dice.pick(NAMES.filter((ns) => ns !== source.ns)),
    method: sim.dice.pick(['out', 'ranges']),
    uuid: new Uuid(source.uuid),
    documents: source.docs.size,
    blockers: [],
    warnings: [],
  };
  const plan = {
    id: `20260101000000-abc${String(sim.plans).padStart(3, '0')}`,
    at: new Date(sim.loop.now),
    from: source.ns.split('.')[0],
    mode: 'online',
    moves: [move],
    blockers: [],
    warnings: [],
  };
  await give(sim, 'run', [plan, { confirm: true }]);
}

/** @param {any} sim */
async function step(sim) {
  for (const ids of sim.sets) {
    const [thing] = activeOf(sim, ids);
    const id = `${[...ids.keys()][0]}.${ids.size}`;
    if (thing && sim.dice.chance(0.6)) putDocument(sim, { thing, ids, id });
  }
  const splits = splitsOf(sim);
  if (splits.length === 0 || sim.dice.chance(0.28)) return begin(sim);
  const { planId } = sim.dice.pick(splits);
  const [verb, phases] = sim.dice.pick(COMMANDS);
  const open = sim.dice.chance(0.3);
  const dies = sim.dice.chance(0.25) ? sim.dice.pick(phases) : null;
  await give(sim, verb, [planId, optionsOf(verb, open)], dies);
}

/** @param {any} split @param {number} round @returns {string} what ends it */
function endOf({ phase }, round) {
  if (phase === 'switched' || phase === 'rolled-back' || phase === 'aborted') return 'finish';
  if (phase.endsWith('-back')) return 'rollback';
  if (phase === 'switching') return 'resume';
  return CUT.test(phase) && phase !== 'aborting' && round % 2 === 0 ? 'resume' : 'abort';
}

/** @param {any} split */
const isOver = ({ phase, refuses }) => phase === 'finished' || (phase === 'aborted' && !refuses);

/** All ends, nothing is left over, and each name can be opened. @param {any} sim */
async function end(sim) {
  const left = () => splitsOf(sim).filter((split) => !isOver(split));
  for (let round = 0; round < ROUNDS && left().length > 0; round += 1)
    for (const split of left())
      await give(sim, endOf(split, round), [split.planId, optionsOf(endOf(split, round))]);
  for (const { _id, phase } of left()) sim.found.push(`${_id} comes to no end: ${phase}`);
  for (const { planId, phase } of splitsOf(sim))
    if (phase === 'finished') await give(sim, 'finish', [planId, optionsOf('finish', true)]);
  for (const { ns, kind } of sim.server.state.names.values())
    if (/__(tune|aside)_/.test(ns) || (kind === 'view' && NAMES.includes(ns)))
      sim.found.push(`${ns} is left over`);
}

/**
 * @param {number} seed
 * @param {any[]} slots of prepare.js
 * @returns {Promise<string[]>} what went wrong
 */
async function runHops(seed, slots) {
  const sim = makeWorld(seed, slots);
  for (let i = 0; i < STEPS && sim.found.length === 0; i += 1) await step(sim);
  if (sim.found.length === 0) await end(sim);
  return sim.found;
}

module.exports = { runHops };
