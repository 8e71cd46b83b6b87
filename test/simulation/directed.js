'use strict';

/**
 * Schedules with one thing that goes wrong at a chosen moment: what once was found by chance, and
 * must not come back.
 * @typedef {{
 *   start: string, script: string[], ops?: number, fate(sim: any, shell: any, request: any): any
 * }} Directed `fate`: of a message (fates.js); may do more
 */

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
    return { kind: 'stopped', ms: 200_000, asleep: false };
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

/** @type {Readonly<Record<string, Directed>>} */
const DIRECTED = Object.freeze({
  'a shell stands still before it grants its cut, and another one gives the split up': {
    start: 'following',
    script: ['cutover'],
    fate: standsStillBeforeGrant('cutting', 'abort'),
  },
  'a shell stands still before it grants its cut, and another one goes on': {
    start: 'following',
    script: ['cutover'],
    fate: standsStillBeforeGrant('cutting', 'resume'),
  },
  'a shell stands still before it grants its switch, and another one goes on': {
    start: 'following',
    script: ['cutover'],
    fate: standsStillBeforeGrant('switching', 'resume'),
  },
  'a shell stands still before it grants the cut of a rollback, and another one goes on': {
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
});

module.exports = { DIRECTED };
