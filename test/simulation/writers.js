'use strict';

const { makeDice } = require('./random');
const { STREAMS } = require('./streams');

/**
 * An application that goes over as docs/split.md says: refused at one name it tries the other. It
 * owns its documents, and knows what each may be: every write carries an id of its own into the
 * document, so a write that is lost, done twice or undone is seen.
 */

const REFUSED = new Set([166, 241, 175]);
const GIVES_UP_MS = 30_000;
const WAY_MS = 0.4;

/** @typedef {{ id: any, kind: string, op: string, since: number, pauseMs: number }} Task */

class App {
  /**
   * @param {any} sim
   * @param {number} number
   * @param {{ places: { db: string, name: string }[], ops: number }} options
   */
  constructor(sim, number, { places, ops }) {
    Object.assign(this, { sim, number, places: [...places], left: ops, made: 0 });
    this.dice = makeDice(sim.seed, STREAMS.writers + number);
    /** What each document may be: its history, or null. @type {Map<any, Set<string | null>>} */ this.docs =
      new Map();
    this.isDone = ops === 0;
    this.acknowledged = 0;
  }

  /** @param {any} id @param {string | null} value */
  knows(id, value) {
    this.docs.set(id, new Set([value]));
  }

  begin() {
    if (!this.isDone) this.rest();
  }

  rest() {
    if (this.left === 0) {
      this.isDone = true;
      return;
    }
    this.left -= 1;
    const { dice } = this;
    this.sim.loop.after(dice.chance(0.12) ? dice.log(1_000, 60_000) : dice.log(0.3, 800), () =>
      this.choose(),
    );
  }

  choose() {
    const { dice } = this;
    this.made += 1;
    const ids = [...this.docs.keys()];
    const isNew = dice.chance(0.3) || ids.length === 0;
    const id = isNew ? `a${this.number}.new${this.made}` : dice.pick(ids);
    if (isNew) this.docs.set(id, new Set([null]));
    const states = this.docs.get(id);
    const isSure = states.size === 1;
    const kind = isSure && states.has(null) ? 'insert' : kindOf(dice);
    this.send(
      { id, kind, op: `${this.number}.${this.made}`, since: this.sim.loop.now, pauseMs: 50 },
      states,
    );
  }

  /** @param {Task} task @param {Set<string | null>} before */
  send(task, before) {
    const [{ db, name }] = this.places;
    const { sim } = this;
    const after = new Set([...before].map((value) => AFTER[task.kind](value, task.op)));
    this.docs.set(task.id, new Set([...before, ...after]));
    const isDeaf = !sim.isCalm && this.dice.chance(0.01);
    const request = { db, who: 'app', command: commandOf(task, name, this.dice) };
    const arrive = () => {
      if (sim.server.died) return this.settle(task, { before, after }, { code: 0 });
      if (sim.loop.now < sim.server.electedAt)
        return void sim.loop.after(sim.server.electedAt - sim.loop.now + 3, arrive);
      sim.server.receive(request, (error, answer) => {
        const fault = error ?? answer.writeErrors?.[0] ?? answer.writeConcernError ?? null;
        const seen = isDeaf ? { code: 0 } : fault;
        sim.loop.after(WAY_MS, () => this.settle(task, { before, after }, seen, answer));
      });
    };
    sim.loop.after(WAY_MS, arrive);
  }

  /**
   * @param {Task} task
   * @param {{ before: Set<any>, after: Set<any> }} states
   * @param {any} fault
   * @param {any} [answer]
   */
  settle(task, { before, after }, fault, answer) {
    const { sim, docs } = this;
    if (fault && REFUSED.has(fault.code)) {
      docs.set(task.id, before);
      if (sim.loop.now - task.since > GIVES_UP_MS) return this.rest();
      this.places.reverse();
      task.pauseMs = Math.min(4_000, task.pauseMs * 1.5);
      return void sim.loop.after(task.pauseMs, () => this.send(task, before));
    }
    if (fault?.code === 11000) this.duplicate(task, before);
    else if (!fault) this.acknowledge(task, { before, after }, answer);
    this.rest();
  }

  /** @param {Task} task @param {Set<any>} before */
  duplicate({ id, kind }, before) {
    if (kind === 'insert' && ![...before].some((value) => value !== null))
      this.sim.checks.wrong('doubled', `${id} is there already, though it was never inserted`);
    this.docs.set(id, before);
  }

  /**
   * @param {Task} task
   * @param {{ before: Set<any>, after: Set<any> }} states
   * @param {any} answer
   */
  acknowledge({ id, kind, op }, { before, after }, answer) {
    const { checks } = this.sim;
    this.acknowledged += 1;
    if (kind === 'read') {
      const [doc] = answer.cursor.firstBatch;
      const value = doc ? doc.h.join() : null;
      if (!before.has(value))
        checks.wrong(
          'read',
          `${this.places[0].db}: ${id} is ${value}, and can only be ${[...before].join(' | ')}`,
        );
      this.docs.set(id, before);
      return;
    }
    const isMissed = kind !== 'insert' && answer.n === 0;
    if (isMissed && !before.has(null))
      checks.wrong(
        'missed',
        `${op} found no ${id} in ${this.places[0].db}, which was ${[...before].join(' | ')}`,
      );
    this.docs.set(id, isMissed ? new Set([null]) : acknowledged({ kind, op }, after));
  }

  /** @param {any} thing @returns {string | null} what is wrong in a collection */
  missingIn(thing) {
    for (const [id, states] of this.docs) {
      const doc = thing.docs.get(id);
      const value = doc ? doc.h.join() : null;
      if (!states.has(value))
        return `${id} is ${value}, and can only be ${[...states].join(' | ')}`;
    }
    return null;
  }
}

/** @param {any} dice @returns {string} */
function kindOf(dice) {
  if (dice.chance(0.15)) return 'delete';
  if (dice.chance(0.2)) return 'read';
  return dice.chance(0.15) ? 'unique' : 'update';
}

/** @param {{ kind: string, op: string }} task @param {Set<any>} after @returns {Set<any>} */
function acknowledged({ kind, op }, after) {
  if (kind === 'insert') return new Set([op]);
  return new Set([...after].filter((value) => kind === 'delete' || value !== null));
}

/** @type {Record<string, (value: string | null, op: string) => string | null>} */
const AFTER = {
  insert: (value, op) => (value === null ? op : value),
  read: (value) => value,
  delete: () => null,
  update: (value, op) => (value === null ? null : `${value},${op}`),
  unique: (value, op) => (value === null ? null : `${value},${op}`),
};

const MAJORITY = Object.freeze({ w: 'majority' });

/** @param {Task} task @param {string} name @param {any} dice */
function commandOf({ id, kind, op }, name, dice) {
  if (kind === 'insert')
    return { insert: name, documents: [{ _id: id, h: [op] }], writeConcern: MAJORITY };
  if (kind === 'delete')
    return { delete: name, deletes: [{ q: { _id: id }, limit: 1 }], writeConcern: MAJORITY };
  if (kind === 'read') return { find: name, filter: { _id: id } };
  const u =
    kind === 'unique'
      ? {
          $push: { h: op },
          ...(dice.chance(0.5) ? { $set: { u: `u${dice.int(3)}` } } : { $unset: { u: '' } }),
        }
      : { $push: { h: op } };
  return { update: name, updates: [{ q: { _id: id }, u }], writeConcern: MAJORITY };
}

module.exports = { App };
