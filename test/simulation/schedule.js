'use strict';

const { makeActions } = require('./actions');
const { makeChecks } = require('./invariants');
const { directedOf } = require('./directed');
const { makeFates } = require('./fates');
const { makeLink } = require('./link');
const { makeOperator } = require('./operator');
const { makeDice, roll, seedOf } = require('./random');
const { parts: catalog } = require('./commands-catalog');
const { Loop } = require('./loop');
const { Server } = require('./server');
const { Shell } = require('./shell');
const { Uuid } = require('./values');
const { App } = require('./writers');
const { STREAMS } = require('./streams');
const { restore } = require('./snapshot');

/**
 * @import { Directed } from './directed'
 */

/**
 * One schedule: a split with all that happens around it, decided by one number.
 * @typedef {{
 *   seed: number, start: string, verdict: string,
 *   found: { kind: string, text: string, at: number }[], taken: string[], events: number,
 *   ended: string | null, excused: string[], freed: number
 * }} Outcome
 */

const GUARDED = new Set(['cutover', 'rollback', 'resume', 'abort']);

/** Chaos ends then; milliseconds. */
const CHAOS_MS = 15 * 60_000;
const NONE = new Set();

const PLAN = Object.freeze({
  id: '20260101000000-abcdef',
  from: { db: 'app', name: 'c' },
  into: { db: 'app2', name: 'c' },
});

/**
 * What the first shell is given to do, from each beginning.
 * @type {Readonly<Record<string, string[][]>>}
 */
const SCRIPTS = Object.freeze({
  planned: [['run'], ['run', 'cutover'], ['run', 'verify', 'cutover', 'finish'], ['run', 'abort']],
  following: [
    ['cutover'],
    ['cutover'],
    ['cutover', 'rollback'],
    ['cutover', 'finish'],
    ['resume', 'resume', 'cutover'],
    ['verify', 'resume', 'cutover', 'finish'],
    ['abort'],
    ['cutover', 'rollback', 'finish'],
  ],
  cutting: [['resume'], ['cutover'], ['abort'], ['resume', 'rollback']],
  'cutting-back': [['rollback'], ['resume']],
  switched: [['rollback'], ['rollback', 'finish'], ['finish'], ['resume', 'rollback']],
});

/** Whether the new place answers then. @param {string} start */
const isOver = (start) => start === 'switched' || start === 'cutting-back';

/**
 * @param {number} seed
 * @param {any} setting of prepare.js
 * @param {{
 *   disabled?: ReadonlySet<string>, known?: ReadonlySet<string>,
 *   directed?: Directed, trace?: (who: any, what: any, fate?: any) => void
 * }} [options]
 * @returns {any}
 */
function makeSimulation(
  seed,
  setting,
  { disabled = NONE, known = NONE, directed = directedOf(seed), trace } = {},
) {
  const dice = makeDice(seed, STREAMS.schedule);
  const start =
    directed?.start ??
    dice.pick([
      'planned',
      'planned',
      'following',
      'following',
      'following',
      'following',
      'switched',
      'switched',
      'switched',
      'cutting',
      'cutting-back',
    ]);
  const loop = new Loop();
  /** @type {any} */ const sim = {
    seed,
    loop,
    plan: PLAN,
    databases: ['app', 'app2'],
    publicNames: ['app.c', 'app2.c'],
    shells: [],
    apps: [],
    /** @type {string[]} */ writtenByHand: [],
    catalog,
    isCalm: false,
    ended: null,
    trace,
    known,
    slots: setting.slots,
    start,
    /** @type {any[]} */ runs: [],
  };
  sim.server = new Server(loop, natureOf(sim, disabled));
  sim.checks = makeChecks(sim);
  sim.link = makeLink(sim);
  sim.fates = makeFates(sim, {
    rate: dice.pick([0, 0.002, 0.008, 0.008, 0.02]),
    disabled,
    directed,
  });
  restore(sim, setting.snapshots[start]);
  sim.server.onChange = sim.checks.onChange;
  sim.server.isAstray = sim.checks.isFreed;
  sim.server.onExpired = sim.checks.onExpired;
  sim.expiring = [
    ...sim.server.state.find(isOver(start) ? 'app2.c' : 'app.c').docs.values(),
  ].filter(({ at }) => at);
  sim.server.onHalf = () => sim.checks.excuse('half');
  sim.script = directed?.script ?? dice.pick(SCRIPTS[start]);
  const isSameHost = dice.chance(0.4);
  const namespace = dice.chance(0.5) ? 1 : 0;
  sim.newShell = (/** @type {number} */ slot, /** @type {any} */ who) => {
    const shell = new Shell(sim, setting.slots[slot], {
      number: sim.shells.length,
      host: 'one',
      pid: 100 + sim.shells.length,
      namespace: 0,
      ...who,
    });
    sim.shells.push(shell);
    return shell;
  };
  sim.newShell(0, {});
  sim.newShell(1, directed?.second ?? (isSameHost ? { host: 'one', namespace } : { host: 'two' }));
  for (let i = 0; i < 2; i += 1)
    sim.apps.push(appOf(sim, i, { ops: directed?.ops ?? 4 + dice.int(14), start }));
  sim.second = second.bind(null, sim);
  sim.actions = makeActions(sim, {
    max: directed ? 0 : dice.int(5),
    messages: start === 'planned' ? 140 : 90,
    disabled,
  });
  sim.onMessage = sim.actions.onMessage;
  sim.hasTtl = useTtl(sim, directed?.hasTtl ?? dice.chance(0.25));
  sim.method = dice.pick(['out', 'ranges']);
  sim.guardian = !directed && dice.chance(0.6) ? undefined : false;
  sim.reads = dice.chance(0.15) ? 'view' : undefined;
  sim.waitMs = directed?.waitMs ?? 0;
  sim.directed = directed?.title ?? null;
  directed?.begin?.(sim);
  return sim;
}

/**
 * Documents with a time to live, of which only what answers may take one away.
 * @param {any} sim
 * @param {boolean} isOn
 */
function useTtl(sim, isOn) {
  if (isOn)
    sim.loop.after(
      TTL_EVERY_MS,
      function pass() {
        sim.server.passTtl();
        sim.loop.after(TTL_EVERY_MS, pass, true);
      },
      true,
    );
  return isOn;
}
const TTL_EVERY_MS = 60_000;

/** @param {any} sim @param {number} number @param {{ ops: number, start: string }} options */
function appOf(sim, number, { ops, start }) {
  const { from, into } = PLAN;
  const app = new App(sim, number, { places: isOver(start) ? [into, from] : [from, into], ops });
  const thing = sim.server.state.find(isOver(start) ? 'app2.c' : 'app.c');
  for (const doc of thing.docs.values())
    if (String(doc._id).startsWith(`a${number}.`)) app.knows(doc._id, doc.h.join());
  app.begin();
  return app;
}

/** @param {any} sim @param {ReadonlySet<string>} disabled */
function natureOf(sim, disabled) {
  const counts = { lag: 0, pause: 0, end: 0, build: 0 };
  const { seed } = sim;
  return {
    lagMs: () => {
      const r = roll(seed, STREAMS.nature, counts.lag++);
      return r < 0.02 ? r * 50_000 : 0.2 + 2 * r;
    },
    pauseMs: (/** @type {any} */ op, /** @type {string} */ why) => {
      const n = counts.pause++;
      // Of a directed schedule, once.
      if (sim.stallMs && why === 'read') {
        const ms = sim.stallMs;
        sim.stallMs = 0;
        return ms;
      }
      if (
        sim.isCalm ||
        op.who !== 'shell' ||
        roll(seed, STREAMS.pauses, n) >= (why === 'read' ? 0.02 : 0.004) ||
        disabled.has(`p${n}`)
      )
        return 0;
      sim.fates.taken.push(`p${n} stall`);
      return 0.5 * 100_000 ** roll(seed, STREAMS.pauses, n, 1);
    },
    endsAfter: (/** @type {any} */ op, /** @type {number} */ of) => {
      const n = counts.end++;
      if (
        sim.isCalm ||
        op.who !== 'shell' ||
        of < 2 ||
        roll(seed, STREAMS.ends, n) >= 0.004 ||
        disabled.has(`e${n}`)
      )
        return -1;
      sim.fates.taken.push(`e${n} half`);
      sim.checks.excuse('half');
      return 1 + Math.floor(roll(seed, STREAMS.ends, n, 1) * (of - 1));
    },
    buildMs: () => {
      const r = roll(seed, STREAMS.builds, counts.build++);
      return 1 + (r < 0.1 ? r * 100_000 : 20 * r);
    },
  };
}

/**
 * Somebody else at a shell of their own; told that another works on it, they try again once that
 * lease should be over.
 * @param {any} sim
 * @param {string} verb
 * @param {number} tries
 */
function second(sim, verb, tries) {
  const shell = sim.shells[1];
  const go = (/** @type {number} */ left) => {
    if (left === 0 || sim.isCalm || !shell.isAlive) return;
    const run = shell.command(
      verb,
      PLAN.id,
      ...(verb === 'verify' ? [] : [{ confirm: true, ...guardianOf(sim, verb) }]),
    );
    run.onEnd = () => {
      if (run.error?.code === 'TUNE-35003') sim.loop.after(20_000, () => go(left - 1));
    };
  };
  go(tries);
}

/** @param {any} sim @param {string} verb @returns {any[]} what the operator gives the command */
function argumentsOf(sim, verb) {
  if (verb === 'run') return [movePlan(sim, sim.method), { confirm: true }];
  if (verb === 'verify') return [PLAN.id];
  const reads = verb === 'cutover' && sim.reads && { reads: sim.reads };
  return [PLAN.id, { confirm: true, ...reads, ...guardianOf(sim, verb) }];
}

/** @param {any} sim @param {string} verb */
const guardianOf = (sim, verb) => GUARDED.has(verb) && { guardian: sim.guardian };

/**
 * The first shell, one command after the other; killed, another one of the same computer may begin
 * where it was.
 * @param {any} sim
 */
function play(sim) {
  let [shell] = sim.shells;
  const left = [...sim.script];
  const dice = makeDice(sim.seed, STREAMS.heirs);
  const waits = makeDice(sim.seed, STREAMS.waits);
  const inherit = () => {
    if (sim.isCalm || sim.hasHeir || dice.chance(0.4)) {
      sim.isPlayed = true;
      return;
    }
    sim.hasHeir = true;
    left.unshift('resume');
    sim.loop.after(dice.log(5, 20_000), () => {
      if (sim.isCalm) return;
      shell = sim.newShell(3, {});
      next();
    });
  };
  const next = () => {
    if (sim.isCalm) return;
    if (!shell.isAlive) return inherit();
    const verb = left.shift();
    if (!verb) {
      sim.isPlayed = true;
      return;
    }
    const args = argumentsOf(sim, verb);
    const run = shell.command(verb, ...args);
    sim.runs.push(run);
    run.onEnd = () => {
      // Users come back after a while: meanwhile documents expire and others change what they may.
      if (shell.isAlive) sim.loop.after(waits.chance(0.15) ? waits.log(1_000, 400_000) : 20, next);
      else inherit();
    };
  };
  if (sim.waitMs > 0) sim.loop.after(sim.waitMs, next);
  else next();
}

/** As tune.split.plan() makes it. @param {any} sim */
function movePlan({ server, loop }, method = 'out') {
  const source = server.state.find('app.c');
  return {
    id: PLAN.id,
    at: new Date(loop.now),
    from: 'app',
    mode: 'online',
    moves: [
      {
        ns: 'app.c',
        into: 'app2.c',
        method,
        uuid: new Uuid(source.uuid),
        documents: source.docs.size,
        blockers: [],
        warnings: [],
      },
    ],
    blockers: [],
    warnings: [],
  };
}

/**
 * @param {number} seed
 * @param {any} setting
 * @param {object} [options]
 * @returns {Promise<Outcome>}
 */
async function runSchedule(seed, setting, options) {
  const sim = makeSimulation(seed, setting, options);
  const { loop, checks, server } = sim;
  const broken = () => server.died !== null || checks.found.length > 0;
  const began = loop.now;
  play(sim);
  let end = await loop.run(
    () => loop.now - began > CHAOS_MS || (sim.isPlayed && loop.left === 0),
    broken,
  );
  if (end === 'over' || end === 'empty') {
    sim.isCalm = true;
    const shell = sim.newShell(2, { host: 'three', isHonest: true });
    shell.isHonest = true;
    const operator = makeOperator(sim, shell);
    operator.begin();
    end = await loop.run(() => operator.state.over, broken);
    if (end === 'over' || end === 'empty') end = await loop.run(() => loop.left === 0, broken);
  }
  if (end === 'endless') checks.wrong('endless', `no end after ${loop.events} events`);
  else if (server.died !== null || end !== 'broken') checks.atEnd();
  for (const shell of sim.shells) shell.kill();
  return {
    seed,
    start: `${sim.start}: ${sim.script.join(', ')}${sim.directed ? ` (${sim.directed})` : ''}`,
    verdict: checks.found.length > 0 ? checks.found[0].kind : 'right',
    found: checks.found,
    taken: [...sim.actions.taken, ...sim.fates.taken],
    events: loop.events,
    ended: sim.ended,
    excused: [...checks.excused],
    freed: sim.freed ?? 0,
  };
}

module.exports = { runSchedule, seedOf, movePlan, PLAN };
