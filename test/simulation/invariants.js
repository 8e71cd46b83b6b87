'use strict';

const { dbOf } = require('./state');

/**
 * What must never be, looked at after every change of the catalog and at the end.
 * `wrong` kinds: died, live (we dropped what answered), aside (we pushed a collection out of its name), foreign (we dropped or renamed what is not ours),
 * last (no complete copy is left), orphan (somebody dropped the other copy before), two (both names take writes), stray (an application made a collection under a name of the split), lost, doubled, read, missed,
 * free (a name of the split that nothing has), unreachable (no name answers at the end), stuck (no command leads to an end), endless
 * @param {any} sim
 */
function makeChecks(sim) {
  /** @type {{ kind: string, text: string, at: number }[]} */ const found = [];
  const excused = new Set();
  /** Told of by docs/split.md, or done by somebody else: what follows of it is not ours. @param {string} why */
  const excuse = (why) => { excused.add(why); };

  /** @param {string} kind @param {string} text */
  function wrong(kind, text) {
    if (excused.size > 0 && BY_OTHERS.has(kind)) return;
    if (found.length < 20) found.push({ kind, text, at: sim.loop.now });
    sim.onWrong?.(kind, text);
  }

  const isComplete = (/** @type {any} */ thing) => sim.apps.every((/** @type {any} */ app) => app.missingIn(thing) === null);
  const copies = () => [...sim.server.state.names.values()].filter((thing) => thing.kind === 'collection' && sim.databases.includes(dbOf(thing.ns)) && OURS.has(thing.owner) && !thing.isTemporary);

  /** @param {any} change */
  function onChange({ what, thing, to, actor }) {
    if (!sim.databases.includes(dbOf(thing.ns))) return;
    if (actor === 'shell' && thing.kind === 'collection' && (what === 'drop' || what === 'rename')) byUs(what, thing, to);
    // A collection that an application makes because its name is free.
    if (what === 'create' && actor === 'app') wrong('stray', `an application made ${thing.ns}`);
    const open = sim.publicNames.map((/** @type {string} */ ns) => sim.server.state.find(ns)).filter((/** @type {any} */ one) => one?.kind === 'collection');
    if (open.length > 1 && open.every((/** @type {any} */ { owner }) => OURS.has(owner))) wrong('two', `${open.map((/** @type {any} */ { ns }) => ns).join(' and ')} both take writes`);
  }

  /** @param {string} what @param {any} thing @param {string} [to] */
  function byUs(what, thing, to) {
    if (thing.isTemporary) return;
    if (!OURS.has(thing.owner)) return wrong('foreign', `we did ${what} ${thing.ns}, which ${thing.owner} made`);
    if (what === 'rename') {
      if (/\.tmp\d+\.rename$/.test(to ?? '')) wrong('aside', `we pushed aside ${thing.uuid} to ${to}`);
      return;
    }
    if (sim.publicNames.includes(thing.ns)) return wrong('live', `we dropped ${thing.ns}, which answered`);
    const left = copies();
    if (!excused.has('damaged') && !left.some(isComplete)) wrong('last', `we dropped ${thing.ns}, and no other copy has everything`);
    if (excused.has('damaged') && !left.some(({ docs }) => docs.size > 0)) wrong('orphan', `we dropped ${thing.ns}; what somebody else had dropped was the rest`);
  }

  /** When all is quiet. */
  function atEnd() {
    if (sim.server.died) return wrong('died', sim.server.died);
    const open = sim.publicNames.map((/** @type {string} */ ns) => sim.server.state.find(ns)).filter((/** @type {any} */ one) => one?.kind === 'collection' && OURS.has(one.owner));
    if (open.length === 0) return wrong('unreachable', 'neither name takes writes at the end');
    for (const app of sim.apps) {
      const missing = app.missingIn(open[0]);
      if (missing) return wrong('lost', `${open[0].ns}: ${missing}`);
    }
  }

  /**
   * A name of the split that nothing has, while applications go on: after an abort and a finish that is so by design (counted), else it must not be.
   * @param {string} ns @returns {boolean} the application goes to the other name
   */
  function isFreed(ns) {
    const [split] = sim.server.state.find('tune.splits')?.docs.values() ?? [];
    if (excused.size > 0) return true;
    if (split && !FREE_IN.has(split.phase)) {
      wrong('free', `${ns} is free in ${split.phase}`);
      return false;
    }
    sim.freed = (sim.freed ?? 0) + 1;
    return true;
  }

  return { isFreed, wrong, excuse, excused, found, onChange, atEnd, isComplete };
}

const OURS = new Set(['setup', 'shell']);
/** Where somebody else dropped the data, or the server ended a step between its two halves, these may be. */
const BY_OTHERS = new Set(['lost', 'read', 'missed', 'doubled', 'unreachable', 'stray', 'two', 'stuck']);

/** In these the target's name is given back. */
const FREE_IN = new Set(['aborting', 'aborted', 'finished', 'planned', 'rolled-back']);

module.exports = { makeChecks };
