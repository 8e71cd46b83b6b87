'use strict';

const { livesLonger } = require('./actions');
const {
  afterNextCut,
  awayAndBack,
  renamesAndBack,
  renamesWritesAndBack,
  undoByHand,
  undoesNextCut,
} = require('./by-hand');
const { makeDice } = require('./random');
const { STREAMS } = require('./streams');

/**
 * Schedules with one thing that goes wrong at a chosen moment: what once was found by chance and
 * must not come back, and what chance hardly ever finds. A share of all schedules are of these.
 * @typedef {{
 *   start: string, script: string[], ops?: number, waitMs?: number, hasTtl?: boolean,
 *   second?: object, begin?(sim: any): void, fate(sim: any, shell: any, request: any): any
 * }} Directed `fate`: of a message (fates.js); may do more; `waitMs`: before the first command;
 *   `second`: whose process the second shell is
 */

/** Of all schedules. */
const SHARE = 0.08;

/** @param {any} sim @returns {any} */
const splitOf = (sim) => [...(sim.server.state.find('tune.splits')?.docs.values() ?? [])][0];
/** @param {any} request @param {string} name */
const isOnFences = ({ command }, name) => command[name] === 'fences';
/** @param {any} request @param {(o: any) => boolean} is one of the operations of a step */
const isStep = ({ command }, is) =>
  Boolean(command.applyOps?.some((/** @type {any} */ { o }) => o.applyOps?.some(is)));

/** Does something the first time that it is asked to. @param {(sim: any) => any} doIt */
function once(doIt) {
  const done = new WeakSet();
  return (/** @type {any} */ sim) => {
    if (done.has(sim)) return null;
    done.add(sim);
    return doIt(sim);
  };
}

/**
 * @param {string} phase
 * @param {string} verb of whoever takes over
 * @returns {(sim: any, shell: any, request: any) => any}
 */
function standsStillBeforeGrant(phase, verb) {
  const stop = once((sim) => {
    sim.loop.after(60_000, () => sim.second(verb, 3));
    // Whose computer sleeps sees by no clock of its own that it is late.
    return { kind: 'stopped', ms: 200_000, asleep: pickOf(sim) };
  });
  return (sim, shell, request) =>
    shell.number === 0 && splitOf(sim)?.phase === phase && isOnFences(request, 'delete')
      ? stop(sim)
      : null;
}

/** @param {string} phase @param {string} view that goes when the name is opened again */
function diesAfterReopening(phase, view) {
  const interrupt = once((sim) => {
    sim.shells[0].interrupt.abort();
    return null;
  });
  const reopened = new WeakSet();
  return (/** @type {any} */ sim, /** @type {any} */ shell, /** @type {any} */ request) => {
    if (shell.number !== 0) return null;
    if (splitOf(sim)?.phase === phase) interrupt(sim);
    if (isStep(request, ({ ns, o }) => ns === `${view}.$cmd` && o.drop === 'c')) reopened.add(sim);
    // Its step is granted, and what it did is not written down.
    return reopened.has(sim) && request.command.findAndModify && request.command.update.$set?.phase
      ? { kind: 'killed', isLost: true }
      : null;
  };
}

/**
 * The operations of a step, without those that use its permit up; none for what is no step, or one
 * of the trials of `run`.
 * @param {any} request
 * @returns {any[]}
 */
function operationsOf({ command }) {
  const all = (command.applyOps ?? []).flatMap((/** @type {any} */ { o }) => o.applyOps ?? []);
  const isTrial = all.some((/** @type {any} */ one) => TRIAL.test(JSON.stringify([one.ns, one.o])));
  const isIts = (/** @type {any} */ { op, ns }) => op !== 'n' && ns !== 'tune.fences';
  return isTrial ? [] : all.filter(isIts);
}
const TRIAL = /mongosh_tune_(trial|asks)/;

/**
 * Somebody else does something after a step was decided and before it waits for its lock.
 * @param {(sim: any, operations: any[]) => (() => void) | null} choose what they do; null: this
 *   step is not meant
 */
function comesBetween(choose) {
  const done = new WeakSet();
  return (/** @type {any} */ sim, /** @type {any} */ shell, /** @type {any} */ request) => {
    const doIt = shell.number === 0 && !done.has(sim) ? choose(sim, operationsOf(request)) : null;
    if (!doIt) return null;
    done.add(sim);
    sim.checks.excuse('damaged');
    sim.server.state.actor = 'foreign';
    doIt();
    sim.server.state.actor = 'nobody';
    return null;
  };
}

/**
 * A name that a step frees of a view of ours, or gives to a collection of ours.
 * @param {any} one an operation
 * @returns {string | null}
 */
function takenName({ ns, ui, o }) {
  if (o.renameCollection) return o.to;
  return o.drop && !ui ? `${ns.slice(0, ns.indexOf('.'))}.${o.drop}` : null;
}

/** Somebody else has a collection with data there, where a view of ours or nothing was. */
const takesTheName = comesBetween((sim, operations) => {
  const name = operations.map(takenName).find(Boolean);
  if (!name || !pickOf(sim)) return null;
  const { state } = sim.server;
  const there = state.find(name);
  if (there?.kind === 'collection') return null;
  return () => {
    if (there) state.drop(there);
    const made = state.create(name);
    for (let i = 0; i < 3; i += 1) state.put(made, `f${i}`, { _id: `f${i}`, h: ['f'] });
  };
});

/** Somebody else drops a copy that a step is about to drop, and has a collection of that name. */
const takesTheCopysName = comesBetween((sim, operations) => {
  const { state } = sim.server;
  const names = operations
    .filter(({ o }) => o.drop)
    .map(({ ns, o }) => `${ns.slice(0, ns.indexOf('.'))}.${o.drop}`);
  const copy = names.map((name) => state.find(name)).find((one) => one?.kind === 'collection');
  if (!copy) return null;
  return () => {
    state.drop(copy);
    state.put(state.create(copy.ns), 'f0', { _id: 'f0', h: ['f'] });
  };
});

/** Somebody else drops what has the data, and what a step is about to drop is the rest of it. */
const dropsWhatStays = comesBetween((sim, operations) => {
  if (!operations.some(({ ui, o }) => o.drop && ui)) return null;
  const { state } = sim.server;
  const open = sim.publicNames
    .map((/** @type {string} */ ns) => state.find(ns))
    .find((/** @type {any} */ one) => one?.kind === 'collection');
  return open ? () => state.drop(open) : null;
});

/** Half of the moments that would do are let go. @param {any} sim */
function pickOf(sim) {
  let dice = DICE.get(sim);
  if (!dice) DICE.set(sim, (dice = makeDice(sim.seed, STREAMS.directed + 1)));
  return dice.chance(0.5);
}
const DICE = new WeakMap();

/**
 * The first permit is written down once more when a second one is in use, and who has that stands
 * still before granting it.
 * @param {string} verb of whoever takes over
 * @returns {(sim: any, shell: any, request: any) => any}
 */
function oldPermitComesLate(verb) {
  const seen = new WeakMap();
  return (sim, shell, request) => {
    if (shell.number !== 0) return null;
    const { command } = request;
    const at = seen.get(sim) ?? { saved: 0, sent: 0, granted: 0 };
    seen.set(sim, at);
    if (command.findAndModify && command.update.$set?.permit && (at.saved += 1) === 1)
      return { kind: 'late', breaksMs: 2, thereMs: 30_000, isDeaf: true };
    if (operationsOf(request).length > 0 && (at.sent += 1) === 1)
      return { kind: 'lost', breaksMs: 2, isLost: true };
    if (!isOnFences(request, 'delete') || (at.granted += 1) !== 2) return null;
    sim.loop.after(60_000, () => sim.second(verb, 4));
    return { kind: 'stopped', ms: 300_000, asleep: pickOf(sim) };
  };
}

/**
 * A step is on its way for long; its shell is dead, and another one has done otherwise by then.
 * @param {string} verb
 * @returns {(sim: any, shell: any, request: any) => any}
 */
function stepComesLate(verb) {
  const late = once((sim) => {
    sim.loop.after(1, () => sim.shells[0].kill());
    sim.loop.after(60_000, () => sim.second(verb, 3));
    return { kind: 'late', breaksMs: 2_000, thereMs: 150_000, isDeaf: true };
  });
  return (sim, shell, request) =>
    shell.number === 0 && operationsOf(request).length > 0 ? late(sim) : null;
}

/**
 * What brings a change over stalls in the server between its reading and its writing, and
 * somebody else goes on with the split.
 * @param {(sim: any) => any} goOn fate of the message
 */
function staleMerge(goOn) {
  const stall = once((sim) => {
    sim.stallMs = STALL_MS;
    return goOn(sim);
  });
  return (/** @type {any} */ sim, /** @type {any} */ shell, /** @type {any} */ { command }) =>
    shell.number === 0 && command.pipeline?.[command.pipeline.length - 1]?.$merge
      ? stall(sim)
      : null;
}

/** Milliseconds. What the server ends by its own time limit does no harm. */
const STALL_MS = 15_000;

/**
 * A build in the copy stops who takes over between writing the next name down and giving it; the
 * same shell tries again, and dies before its switch.
 * @returns {(sim: any, shell: any, request: any) => any}
 */
function stopsBetweenNames() {
  const dies = once((sim) => {
    const { server, loop } = sim;
    const { into } = splitOf(sim);
    const copy = server.state.find(`${into.db}.${into.stagingName}`);
    sim.catalog.beginBuild(server, copy, {
      indexes: [{ v: 2, key: { x: 1 }, name: 'of_x' }],
      ms: 12_000,
      who: 'dba',
    });
    for (const ms of [1_000, 5_000, 20_000]) loop.after(ms, () => sim.second('resume', 1));
    return { kind: 'killed', isLost: true };
  });
  const diesToo = once(() => ({ kind: 'killed', isLost: true }));
  return (sim, shell, { command }) => {
    const phase = splitOf(sim)?.phase;
    if (shell.number === 0 && phase === 'draining' && command.changeStream) return dies(sim);
    return shell.number === 1 && phase === 'switching' && command.applyOps ? diesToo(sim) : null;
  };
}

/**
 * Documents live longer from now on, and whoever cuts off has looked already.
 * @param {(request: any) => boolean} isIt the message beside which that comes
 * @returns {(sim: any, shell: any, request: any) => any}
 */
function changesTime(isIt) {
  const change = once((sim) => {
    const { from, into } = splitOf(sim);
    const { phase } = splitOf(sim);
    const { db, name } = phase === 'cutting' ? from : into;
    livesLonger(sim, { ns: `${db}.${name}` });
    return null;
  });
  return (sim, _shell, request) =>
    ['cutting', 'cutting-back'].includes(splitOf(sim)?.phase) && isIt(request) ? change(sim) : null;
}

/**
 * The shell dies once its cut is written down; somebody undoes that by hand, and it goes on as the
 * answers say.
 * @param {string} phase
 * @param {string} verb
 * @returns {(sim: any, shell: any, request: any) => any}
 */
function diesAndIsUndone(phase, verb) {
  const dies = once((sim) => {
    sim.loop.after(5_000, () => undoByHand(sim));
    sim.loop.after(60_000, () => sim.second(verb, 2));
    return { kind: 'killed', isLost: true };
  });
  return (sim, shell, { command }) =>
    shell.number === 0 && splitOf(sim)?.phase === phase && (command.changeStream || pickOf(sim))
      ? dies(sim)
      : null;
}

/** Between the last look and the cut. @param {'following' | 'switched'} from a phase */
function renamedBeforeLock(from) {
  const phase = from === 'following' ? 'cutting' : 'cutting-back';
  const rename = once((sim) => {
    const { from: source, into } = splitOf(sim);
    const aside = phase === 'cutting' ? source.renamedTo : into.stagingName;
    renamesWritesAndBack(sim, { pick: () => aside });
    return null;
  });
  return (/** @type {any} */ sim, /** @type {any} */ shell, /** @type {any} */ request) =>
    shell.number === 0 && splitOf(sim)?.phase === phase && request.command.applyOps
      ? rename(sim)
      : null;
}

/** @returns {Directed['fate']} */
function undoneForAMoment() {
  const dies = once((sim) => {
    sim.loop.after(60_000, () => sim.second('resume', 2));
    return { kind: 'killed', isLost: true };
  });
  const undo = once((sim) => {
    undoByHand(sim, 60_000);
    return null;
  });
  const elect = once((sim) => {
    sim.server.stepDown({ ms: 5, keep: 0, skewMs: 0, breaks: true });
    return null;
  });
  const seen = new WeakSet();
  return (sim, shell, { command }) => {
    const split = splitOf(sim);
    if (split?.phase !== 'draining') return null;
    if (shell.number === 0) return command.changeStream ? dies(sim) : null;
    if (seen.has(sim)) return command.findAndModify ? elect(sim) : null;
    if (!command.listCollections || command.filter?.name !== split.from.renamedTo) return null;
    seen.add(sim);
    return undo(sim);
  };
}

/** @type {Readonly<Record<string, Directed>>} */
const DIRECTED = Object.freeze({
  'a shell stalls before it grants its cut, and another one gives the split up': {
    start: 'following',
    script: ['cutover'],
    fate: standsStillBeforeGrant('cutting', 'abort'),
  },
  'a shell stalls before it grants its cut, and another one goes on': {
    start: 'following',
    script: ['cutover'],
    fate: standsStillBeforeGrant('cutting', 'resume'),
  },
  'a shell stalls before it grants its switch, and another one goes on': {
    start: 'following',
    script: ['cutover'],
    fate: standsStillBeforeGrant('switching', 'resume'),
  },
  'a shell stalls before it grants the cut of a rollback, and another one goes on': {
    start: 'switched',
    script: ['rollback'],
    fate: standsStillBeforeGrant('cutting-back', 'rollback'),
  },
  'a shell dies after it has opened the source again, and before it has written that down': {
    start: 'following',
    script: ['cutover'],
    ops: 40,
    fate: diesAfterReopening('draining', 'app'),
  },
  'a shell dies after it has opened the target again, and before it has written that down': {
    start: 'switched',
    script: ['rollback'],
    ops: 40,
    fate: diesAfterReopening('draining-back', 'app2'),
  },
  'somebody has a name when a cutover is about to take it': {
    start: 'following',
    script: ['cutover', 'rollback'],
    fate: takesTheName,
  },
  'somebody has a name when a rollback is about to take it': {
    start: 'switched',
    script: ['rollback', 'finish'],
    fate: takesTheName,
  },
  'somebody has the name of the target when an abort is about to free it': {
    start: 'following',
    script: ['abort'],
    fate: takesTheName,
  },
  'somebody has the name of the old data when finish is about to drop it': {
    start: 'switched',
    script: ['finish'],
    fate: takesTheCopysName,
  },
  'somebody has the name of the copy when an abort is about to drop it': {
    start: 'following',
    script: ['abort'],
    fate: takesTheCopysName,
  },
  'somebody drops the new place when finish is about to drop the old data': {
    start: 'switched',
    script: ['finish'],
    fate: dropsWhatStays,
  },
  'somebody drops the source when an abort is about to drop the copy': {
    start: 'following',
    script: ['abort'],
    fate: dropsWhatStays,
  },
  'a shell stalls before it grants the drop of finish, and another one goes back': {
    start: 'switched',
    script: ['finish'],
    fate: standsStillBeforeGrant('switched', 'rollback'),
  },
  'the drop of finish arrives when another shell has gone back': {
    start: 'switched',
    script: ['finish'],
    fate: stepComesLate('rollback'),
  },
  'an old state arrives late, with another permit than that of finish, and another shell goes back':
    { start: 'switched', script: ['finish'], fate: oldPermitComesLate('rollback') },
  'a shell dies while what it sent stalls, and another one of its computer goes on': {
    start: 'following',
    script: ['cutover'],
    ops: 40,
    waitMs: 2_000,
    second: { host: 'one', namespace: 0 },
    fate: staleMerge((sim) => {
      sim.loop.after(10_000, () => sim.second('resume', 1));
      return { kind: 'killed' };
    }),
  },
  'a shell waits while what it sent stalls, and one of another container wants to go on': {
    start: 'following',
    script: ['cutover'],
    ops: 40,
    waitMs: 2_000,
    second: { host: 'one', namespace: 1 },
    fate: staleMerge((sim) => {
      sim.loop.after(10_000, () => sim.second('resume', 1));
      return null;
    }),
  },
  'a build in the copy stops who takes over before the copy has its next name': {
    start: 'following',
    script: ['cutover'],
    ops: 40,
    second: { host: 'one', namespace: 0 },
    fate: stopsBetweenNames(),
  },
  'a shell dies in a cutover, and somebody undoes its cut by hand': {
    start: 'following',
    script: ['cutover'],
    ops: 40,
    fate: diesAndIsUndone('draining', 'resume'),
  },
  'a shell dies in a rollback, and somebody undoes its cut by hand': {
    start: 'switched',
    script: ['rollback'],
    ops: 40,
    fate: diesAndIsUndone('draining-back', 'rollback'),
  },
  'a shell dies before its switch, and somebody undoes its cut by hand': {
    start: 'following',
    script: ['cutover'],
    ops: 40,
    fate: diesAndIsUndone('switching', 'resume'),
  },
  'somebody undoes the cut of a cutover by hand while that goes on': {
    start: 'following',
    script: ['cutover'],
    ops: 40,
    begin: (sim) => undoesNextCut(sim, sim.seed % 400),
    fate: () => null,
  },
  'somebody undoes the cut of a rollback by hand while that goes on': {
    start: 'switched',
    script: ['rollback'],
    ops: 40,
    begin: (sim) => undoesNextCut(sim, sim.seed % 400),
    fate: () => null,
  },
  'somebody renames the source that is cut off, writes to it, and renames it back': {
    start: 'following',
    script: ['cutover'],
    ops: 40,
    begin: (sim) => afterNextCut(sim, sim.seed % 400, () => awayAndBack(sim)),
    fate: () => null,
  },
  'somebody renames the new place that is cut off, writes to it, and renames it back': {
    start: 'switched',
    script: ['rollback'],
    ops: 40,
    begin: (sim) => afterNextCut(sim, sim.seed % 400, () => awayAndBack(sim)),
    fate: () => null,
  },
  'the source gets the name that a cut would give it, and its own again': {
    start: 'following',
    script: ['resume', 'cutover'],
    ops: 40,
    waitMs: 20_000,
    begin: (sim) => sim.loop.after(5_000, () => renamesAndBack(sim)),
    fate: () => null,
  },
  'the source has the name of a cut right before it, is written to, and has its own again': {
    start: 'following',
    script: ['cutover'],
    ops: 40,
    fate: renamedBeforeLock('following'),
  },
  'the new place has the name of a cut right before it, is written to, and has its own again': {
    start: 'switched',
    script: ['rollback'],
    ops: 40,
    fate: renamedBeforeLock('switched'),
  },
  'somebody undoes a cut by hand, and an election brings it back when another shell has looked': {
    start: 'following',
    script: ['cutover'],
    ops: 40,
    fate: undoneForAMoment(),
  },
  'documents of the new place live longer than they did, and it goes back later': {
    start: 'switched',
    script: ['rollback'],
    waitMs: 400_000,
    hasTtl: true,
    begin: (sim) => livesLonger(sim, { ns: 'app2.c' }),
    fate: () => null,
  },
  'documents live longer right before the lock of a cut': {
    start: 'following',
    script: ['cutover'],
    hasTtl: true,
    fate: changesTime(({ command }) => command.applyOps && !command.comment),
  },
  'documents live longer while a cut waits for its lock': {
    start: 'following',
    script: ['cutover'],
    hasTtl: true,
    fate: changesTime(({ command }) => command.applyOps && command.comment),
  },
  'documents of the new place live longer while a cut waits for its lock': {
    start: 'switched',
    script: ['rollback'],
    hasTtl: true,
    fate: changesTime(({ command }) => command.applyOps && command.comment),
  },
});

/**
 * One of them, for a share of the schedules.
 * @param {number} seed
 * @returns {(Directed & { title: string }) | undefined}
 */
function directedOf(seed) {
  const dice = makeDice(seed, STREAMS.directed);
  if (!dice.chance(SHARE)) return undefined;
  const title = dice.pick(Object.keys(DIRECTED));
  return { title, ...DIRECTED[title] };
}

module.exports = { DIRECTED, directedOf };
