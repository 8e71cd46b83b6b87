'use strict';

/** Milliseconds: a lease is over then. */
const LEASE_MS = 50_000;
/** Milliseconds: with half of the commands, longer than any build of an index (a minute). */
const BUILD_MS = 5_000;
const MAX_COMMANDS = 40;
/** @type {Readonly<Record<string, number>>} */
const WAITS = Object.freeze({ 'TUNE-35003': LEASE_MS, 'TUNE-35016': BUILD_MS });
const ENDS = new Set(['finished', 'aborted']);

/** What a message names where nothing else helps. @param {string} message @returns {string[]} */
const ofBeginning = (message) =>
  /tune\.split\.resume\("[^)]*restart: true[^)]*\)/.exec(message) ?? [];

/**
 * Somebody at a shell who does what the answers say: the command of `next`, after a fault once
 * more, and where that does not help the way back.
 * @param {any} sim
 * @param {any} shell
 */
function makeOperator(sim, shell) {
  const state = {
    over: false,
    commands: 0,
    /** @type {string[]} */ said: [],
    refusals: 0,
    lastPhase: '',
  };

  /** @param {string} verb @param {any[]} args @param {(run: any) => void} then */
  function give(verb, args, then) {
    state.commands += 1;
    shell.command(verb, ...args).onEnd = (/** @type {any} */ run) =>
      sim.loop.after(10, () => then(run));
  }

  function step() {
    if (state.over || sim.server.died) return;
    if (state.commands > MAX_COMMANDS) {
      state.over = true;
      return void sim.checks.wrong(
        'stuck',
        `${MAX_COMMANDS} commands lead to no end: ${state.said.slice(-4).join('; ')}`,
      );
    }
    give('status', [], (run) => {
      const [split] = run.state === 'done' ? run.value.splits : [];
      if (run.state === 'failed') return again(run, null);
      // Before anything was written down there is nothing to end.
      if (!split || ENDS.has(split.phase)) return end(split?.phase ?? 'none');
      decide(split);
    });
  }

  /** @param {any} split */
  function decide(split) {
    if (split.phase !== state.lastPhase)
      Object.assign(state, { refusals: 0, lastPhase: split.phase });
    const way =
      state.refusals > 3 && split.nextBack ? split.nextBack : (split.next ?? split.nextBack);
    if (!way) {
      state.over = true;
      return void sim.checks.wrong('stuck', `${split.phase} has no next command`);
    }
    type(way, split);
  }

  /** @param {string} call as it is printed @param {any} split */
  function type(call, split) {
    const [, verb, given] = /** @type {any} */ (/^tune\.split\.(\w+)\((.*)\)$/.exec(call));
    const args = JSON.parse(`[${given.replace(/([{,]\s*)(\w+):/g, '$1"$2":')}]`);
    give(verb, args, (run) => (run.state === 'failed' ? again(run, split) : step()));
  }

  /** @param {any} run @param {any} split */
  function again({ error, verb }, split) {
    state.refusals += 1;
    state.said.push(`${verb} in ${split?.phase}: ${error.message.slice(0, 160)}`);
    const [call] = ofBeginning(error.message);
    if (call) return void sim.loop.after(1_000, () => type(call, split));
    sim.loop.after(WAITS[error.code] ?? 1_000, step);
  }

  /** @param {string} phase */
  function end(phase) {
    state.over = true;
    sim.ended = phase;
  }

  return { begin: step, state };
}

module.exports = { makeOperator };
