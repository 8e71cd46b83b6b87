'use strict';

const { makeDice } = require('./random');
const { dbOf } = require('./state');
const { STREAMS } = require('./streams');

/**
 * What must never be, looked at after every change of the catalog and at the end. `wrong` kinds:
 * bug (a command threw a JavaScript error), died, live (we dropped what answered), aside (we pushed
 * a collection out of its name), foreign (we dropped or renamed what is not ours), last (no complete
 * copy is left), orphan (somebody dropped the other copy before), two (both names take writes),
 * stray (an application made a collection under a name of the split), lost, doubled, read, missed,
 * free (a name of the split that nothing has), behind (a cut before most of it was brought over),
 * expired (a document went by the time to live of a copy that did not answer), unreachable (no name
 * answers at the end), stuck (no command leads to an end), endless
 * @param {any} sim
 */
function makeChecks(sim) {
  /** @type {{ kind: string, text: string, at: number }[]} */ const found = [];
  const excused = new Set();
  const expired = new Set();
  /**
   * Told of by docs/split.md, or done by somebody else: what follows of it is not ours.
   * @param {string} why
   */
  const excuse = (why) => {
    excused.add(why);
  };

  /** @param {string} kind @param {string} text */
  function wrong(kind, text) {
    if (sim.known.has(kind) || (excused.size > 0 && BY_OTHERS.has(kind))) return;
    if (found.length < 20) found.push({ kind, text, at: sim.loop.now });
    sim.onWrong?.(kind, text);
  }

  const isComplete = (/** @type {any} */ thing) =>
    sim.apps.every((/** @type {any} */ app) => app.missingIn(thing) === null);
  const copies = () =>
    [...sim.server.state.names.values()].filter(
      (thing) =>
        thing.kind === 'collection' &&
        sim.databases.includes(dbOf(thing.ns)) &&
        OURS.has(thing.owner) &&
        !thing.isTemporary &&
        !OF_A_TRIAL.test(thing.ns),
    );

  /** @param {any} change */
  function onChange({ what, thing, from, to, actor }) {
    if (!sim.databases.includes(dbOf(thing.ns))) return;
    if (actor === 'shell' && thing.kind === 'collection' && (what === 'drop' || what === 'rename'))
      byUs({ what, thing, from, to });
    if (
      what === 'drop' &&
      actor === 'shell' &&
      thing.kind === 'view' &&
      sim.publicNames.includes(thing.ns)
    )
      settleForeign(thing.ns);
    // A collection that an application makes because its name is free.
    if (what === 'create' && actor === 'app') wrong('stray', `an application made ${thing.ns}`);
    const open = sim.publicNames
      .map((/** @type {string} */ ns) => sim.server.state.find(ns))
      .filter((/** @type {any} */ one) => one?.kind === 'collection');
    if (open.length > 1 && open.every((/** @type {any} */ { owner }) => OURS.has(owner)))
      wrong('two', `${open.map((/** @type {any} */ { ns }) => ns).join(' and ')} both take writes`);
  }

  /**
   * Somebody else makes a collection of their own where a name was freed, once it is over.
   * @param {string} ns
   */
  function settleForeign(ns) {
    const dice = makeDice(sim.seed, STREAMS.foreign);
    sim.loop.after(dice.log(5, 60_000), () => {
      const {
        server,
        server: { state },
      } = sim;
      const [split] = state.find('tune.splits')?.docs.values() ?? [];
      if (
        dice.chance(0.5) ||
        server.died ||
        server.loop.now < server.electedAt ||
        state.find(ns) ||
        !(split?.phase === 'finished' || split?.phase === 'aborted')
      )
        return;
      state.actor = 'foreign';
      const thing = state.create(ns);
      for (let i = 0; i < 3; i += 1) state.put(thing, `f${i}`, { _id: `f${i}`, h: ['f'] });
      state.actor = 'nobody';
    });
  }

  /** @param {any} thing @param {any} doc */
  function onExpired({ ns, owner }, doc) {
    if (sim.publicNames.includes(ns) && OURS.has(owner)) expired.add(doc._id);
  }

  /** Those that went without being taken away by what answers. @param {any} thing */
  function wronglyExpired(thing) {
    const { expireAfterSeconds: seconds } = ttlOf(thing);
    const isDue = (/** @type {Date} */ at) =>
      at.getTime() + 1000 * seconds < sim.server.clock() + MAX_SKEW_MS;
    const gone = sim.expiring.filter(
      (/** @type {any} */ { _id, at }) => !expired.has(_id) && !thing.docs.has(_id) && !isDue(at),
    );
    return gone.length > 0
      ? `${gone.map((/** @type {any} */ { _id }) => _id).join(', ')} went before its time`
      : null;
  }

  /** @param {{ what: string, thing: any, from?: string, to?: string }} change */
  function byUs({ what, thing, from, to }) {
    if (thing.isTemporary || OF_A_TRIAL.test(thing.ns)) return;
    if (!OURS.has(thing.owner))
      return wrong('foreign', `we did ${what} ${thing.ns}, which ${thing.owner} made`);
    if (what === 'rename') {
      if (sim.publicNames.includes(/** @type {string} */ (from))) checkBehind(thing);
      if (/\.tmp\d+\.rename$/.test(to ?? ''))
        wrong('aside', `we pushed aside ${thing.uuid} to ${to}`);
      return;
    }
    if (sim.publicNames.includes(thing.ns))
      return wrong('live', `we dropped ${thing.ns}, which answered`);
    const left = copies();
    if (!excused.has('damaged') && !left.some(isComplete))
      wrong('last', `we dropped ${thing.ns}, and no other copy has everything`);
    if (excused.has('damaged') && thing.docs.size > 0 && !left.some(({ docs }) => docs.size > 0))
      wrong('orphan', `we dropped ${thing.ns}; what somebody else had dropped was the rest`);
  }

  /**
   * Writers wait for all that was not brought over before a cut: no more than came after the
   * command began.
   * @param {any} thing that is cut off now
   */
  function checkBehind(thing) {
    const { state } = sim.server;
    const [{ sourceUuid, stagingUuid }] = state.find('tune.splits').docs.values();
    const other = state.byUuid(
      [String(sourceUuid), String(stagingUuid)].find((uuid) => uuid !== thing.uuid),
    );
    if (!other || !state.sender) return;
    const behind = state.entries.filter(
      (/** @type {any} */ { uuid, id, at, n, op, by }) =>
        op !== 'c' &&
        by !== 'ttl' &&
        // What is about to expire may have gone from the copy first.
        !thing.docs.get(id)?.at &&
        uuid === thing.uuid &&
        at < state.sender.since &&
        String(other.docs.get(id)?.h) !== String(thing.docs.get(id)?.h) &&
        isNewest(state, thing, { id, n }),
    );
    if (behind.length > 0)
      wrong(
        'behind',
        `${thing.uuid} was cut off by ${state.sender.verb} with ${behind.length} changes ` +
          'still to be brought over that were made before',
      );
  }

  /** When all is quiet. */
  function atEnd() {
    if (sim.server.died) return wrong('died', sim.server.died);
    const open = sim.publicNames
      .map((/** @type {string} */ ns) => sim.server.state.find(ns))
      .filter((/** @type {any} */ one) => one?.kind === 'collection' && OURS.has(one.owner));
    if (open.length === 0) return wrong('unreachable', 'neither name takes writes at the end');
    for (const app of sim.apps) {
      const missing = app.missingIn(open[0]);
      if (missing) return wrong('lost', `${open[0].ns}: ${missing}`);
    }
    const lost = sim.writtenByHand.filter((/** @type {string} */ id) => !open[0].docs.has(id));
    if (lost.length > 0) return wrong('lost', `${open[0].ns}: ${lost.join(', ')} of the operator`);
    const gone = wronglyExpired(open[0]);
    if (gone) wrong('expired', gone);
    const { expireAfterSeconds: seconds } = ttlOf(open[0]);
    if (sim.livesLonger && seconds !== sim.livesLonger)
      wrong('expired', `documents are to live ${sim.livesLonger} s, and do ${seconds} s`);
  }

  /**
   * A name of the split that nothing has, while applications go on: after an abort and a finish
   * that is so by design (counted), else it must not be.
   * @param {string} ns
   * @returns {boolean} the application goes to the other name
   */
  function isFreed(ns) {
    const [split] = sim.server.state.find('tune.splits')?.docs.values() ?? [];
    if (sim.server.state.find(ns)?.owner === 'foreign') return true;
    if (sim.server.state.find(ns)) return false;
    if (excused.size > 0) return true;
    if (split && !FREE_IN.has(split.phase)) {
      wrong('free', `${ns} is free in ${split.phase}`);
      return false;
    }
    sim.freed = (sim.freed ?? 0) + 1;
    return true;
  }

  return { isFreed, onExpired, wrong, excuse, excused, found, onChange, atEnd, isComplete };
}

/** @param {any} state @param {any} thing @param {{ id: any, n: number }} change */
const isNewest = (state, thing, { id, n }) =>
  !state.entries.some(
    (/** @type {any} */ other) =>
      other.op !== 'c' && other.uuid === thing.uuid && other.id === id && other.n > n,
  );

/** @param {any} thing @returns {{ expireAfterSeconds: number }} */
const ttlOf = ({ indexes }) =>
  indexes.find((/** @type {any} */ { name }) => name === 'at_1') ?? { expireAfterSeconds: 0 };

/** Milliseconds. An earlier primary may have had a clock so far ahead of the last one's. */
const MAX_SKEW_MS = 120_000;

/** `run` tries each step beforehand with collections of no meaning. */
const OF_A_TRIAL = /mongosh_tune_trial_/;

const OURS = new Set(['setup', 'shell']);
/**
 * Where somebody else dropped the data, or the server ended a step between its two halves, these
 * may be.
 */
const BY_OTHERS = new Set([
  'lost',
  'expired',
  'read',
  'missed',
  'doubled',
  'unreachable',
  'stray',
  'two',
  'stuck',
]);

/** In these the target's name is given back. */
const FREE_IN = new Set(['aborting', 'aborted', 'finished', 'planned', 'rolled-back']);

module.exports = { makeChecks };
