'use strict';

/**
 * The process beside a shell that goes on where the shell dies or stalls (lib/shell/guardian.js):
 * its own loop is played here, what it does is the real code.
 */

const { isLeftBehind } = require('../../lib/split/pure/phase-table');

/** Milliseconds, as lib/shell/guardian.js has them. */
const NO_SIGN_MS = 6_000;
const POLL_EVERY_MS = 500;
const GIVE_UP_MS = 600_000;
const PAUSE_MS = 1_000;
const NOT_OURS = new Set(['TUNE-35003', 'TUNE-35012']);
/** Places of shells that guardians may have (prepare.js). */
const SLOTS = Object.freeze([4, 5]);

/** @param {any} sim @param {any} shell that is watched */
function startGuardian(sim, shell) {
  /** @type {Map<string, { owner: string, undoes: boolean }>} */ const watched = new Map();
  const state = { isOver: false, isTakingOver: false, heardAt: sim.loop.now };
  const begin = () => {
    if (state.isTakingOver) return;
    state.isTakingOver = true;
    takeOver(sim, shell, [...watched]);
  };
  const sample = () => {
    if (state.isOver || state.isTakingOver) return;
    // What a shell says is heard as long as it runs.
    if (shell.isAlive && !shell.isPaused) state.heardAt = sim.loop.now;
    const isStalled = sim.loop.now - state.heardAt > NO_SIGN_MS;
    if (watched.size > 0 && (!shell.isAlive || (isStalled && hasWork(sim, watched))))
      return void begin();
    sim.loop.after(POLL_EVERY_MS, sample, true);
  };
  sim.loop.after(POLL_EVERY_MS, sample, true);
  return {
    watch: (/** @type {string} */ id, /** @type {string} */ owner, undoes = false) => {
      if (!state.isTakingOver) watched.set(id, { owner, undoes });
    },
    forget: (/** @type {string} */ id) => {
      if (!state.isTakingOver) watched.delete(id);
    },
    handOver: () => {
      begin();
      return true;
    },
    isAvailable: () => !state.isOver && !state.isTakingOver,
    end: () => {
      state.isOver = true;
    },
  };
}

/** @param {any} sim @param {Map<string, { owner: string, undoes: boolean }>} watched */
const hasWork = (sim, watched) =>
  [...(sim.server.state.find('tune.splits')?.docs.values() ?? [])].some((split) => {
    const one = watched.get(split._id);
    return one && split.lease?.owner === one.owner && isLeftBehind(split, one.undoes);
  });

/** @param {any} sim @param {any} shell @param {[string, { owner: string, undoes: boolean }][]} watched */
function takeOver(sim, shell, watched) {
  const slot = SLOTS.find((one) => !sim.slots[one]?.shell?.isGuardianOf?.(sim));
  if (slot === undefined || !sim.newShell) return;
  const guardian = sim.newShell(slot, { host: shell.host, namespace: shell.namespace });
  guardian.isGuardianOf = (/** @type {any} */ other) => other === sim && guardian.isAlive;
  sim.trace?.(
    'action',
    { name: 'guardian', kind: `of ${shell.number} is shell ${guardian.number}` },
    null,
    sim.loop.now,
  );
  const until = sim.loop.now + GIVE_UP_MS;
  const left = watched.map(([id, { owner, undoes }]) => ({ id, undoes, owners: new Set([owner]) }));
  const next = () => {
    const [one] = left;
    if (!one || sim.loop.now > until) return void guardian.kill();
    guardian.do('guardian', (/** @type {any} */ ctx) =>
      guardian.slot.load('split/resume.js').resumeSplit(ctx, one.id, one.owners, one.undoes),
    ).onEnd = (/** @type {any} */ run) => {
      if (!guardian.isAlive) return;
      const isOver = run.state === 'done' || NOT_OURS.has(run.error?.code);
      if (isOver) left.shift();
      sim.loop.after(isOver ? 1 : PAUSE_MS, next);
    };
  };
  next();
}

module.exports = { startGuardian };
