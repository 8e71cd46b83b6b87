'use strict';

const { Time, get, refusal, same } = require('./values');

/**
 * What a primary has: collections and views by name, documents by _id, and an oplog in which every
 * change has its undoing, since what a majority lacks may be rolled back.
 * @typedef {{
 *   kind: 'collection' | 'view', ns: string, uuid: string, options: any, indexes: any[],
 *   docs: Map<any, any>, building: any[], viewOn?: string, pipeline?: any[], owner: string
 * }} Thing `owner`: who made it
 */
class State {
  /**
   * @param {{ now(): number, moment(): number, logged(): void, changed(change: any): void }} hooks
   */
  constructor(hooks) {
    this.hooks = hooks;
    /** @type {Map<string, Thing>} */ this.names = new Map();
    /** @type {any[]} */ this.entries = [];
    this.newest = 1;
    this.majority = 1;
    /** Older events are not in the oplog any more. */
    this.oldest = 0;
    this.made = 0;
    /** On whose behalf the server works now. */
    this.actor = 'nobody';
    /** Which command of which shell it is for. */
    this.sender = null;
    /** Of which step of several operations what is logged now is a part; 0: of none. */
    this.step = 0;
  }

  /** @param {string} ns */
  find(ns) {
    return this.names.get(ns);
  }

  /** @param {string} uuid */
  byUuid(uuid) {
    for (const thing of this.names.values()) if (thing.uuid === uuid) return thing;
    return undefined;
  }

  newUuid() {
    this.made += 1;
    return `00000000-0000-4000-8000-${String(this.made).padStart(12, '0')}`;
  }

  /** @param {any} entry */
  log(entry) {
    this.newest += 1;
    entry.n = this.newest;
    entry.wall = this.hooks.now();
    entry.at = this.hooks.moment();
    entry.by = this.actor;
    entry.step = this.step;
    this.entries.push(entry);
    this.hooks.logged();
  }

  /** @param {Thing} thing @param {string} what @param {object} more with undo() */
  logCatalog(thing, what, more) {
    this.log({ op: 'c', what, ns: thing.ns, uuid: thing.uuid, ...more });
    this.hooks.changed({ what, thing, actor: this.actor, ...more });
  }

  /** @param {string} ns @param {any} options */
  create(ns, options = {}) {
    const { viewOn, pipeline, ...rest } = options;
    this.made += viewOn === undefined ? 0 : 1;
    const thing = /** @type {Thing} */ ({
      kind: viewOn === undefined ? 'collection' : 'view',
      ns,
      uuid: viewOn === undefined ? this.newUuid() : `view ${this.made}`,
      options: rest,
      indexes: [],
      docs: new Map(),
      building: [],
      viewOn,
      pipeline,
      owner: this.actor,
    });
    this.names.set(ns, thing);
    this.logCatalog(thing, 'create', { undo: () => this.names.delete(thing.ns) });
    return thing;
  }

  /** @param {Thing} thing */
  drop(thing) {
    const { ns } = thing;
    this.names.delete(ns);
    this.logCatalog(thing, 'drop', { undo: () => this.names.set(ns, thing) });
  }

  /** @param {Thing} thing @param {string} to */
  rename(thing, to) {
    const from = thing.ns;
    this.move(thing, to);
    this.log({
      op: 'c',
      what: 'rename',
      ns: from,
      to,
      uuid: thing.uuid,
      undo: () => this.move(thing, from),
    });
    this.hooks.changed({ what: 'rename', thing, from, to, actor: this.actor });
  }

  /** @param {Thing} thing @param {string} to */
  move(thing, to) {
    this.names.delete(thing.ns);
    thing.ns = to;
    this.names.set(to, thing);
  }

  /** @param {Thing} thing @param {Partial<Thing>} changes */
  change(thing, changes) {
    /** @type {any} */ const old = {};
    for (const key in changes) old[key] = thing[key];
    Object.assign(thing, changes);
    this.logCatalog(thing, 'change', { undo: () => Object.assign(thing, old) });
  }

  /** @param {Thing} thing @param {any} id @param {any} doc null: it goes */
  put(thing, id, doc) {
    const old = thing.docs.get(id);
    if (doc) {
      if (thing.indexes.length > 0) checkUnique(thing, doc);
      thing.docs.set(id, doc);
    } else {
      thing.docs.delete(id);
    }
    const written = old ? 'u' : 'i';
    this.log({ op: doc ? written : 'd', ns: thing.ns, uuid: thing.uuid, id, old: old ?? null });
  }

  /** As most members have them. @param {Thing} thing @returns {Map<any, any>} */
  majorityDocs(thing) {
    if (this.majority === this.newest) return thing.docs;
    let docs = thing.docs;
    for (let i = this.entries.length - 1; i >= 0 && this.entries[i].n > this.majority; i -= 1) {
      const entry = this.entries[i];
      if (entry.uuid !== thing.uuid) continue;
      if (entry.op === 'c')
        throw refusal(
          246,
          'Unable to read from a snapshot due to pending collection catalog changes; please ' +
            'retry the operation.',
        );
      if (docs === thing.docs) docs = new Map(docs);
      if (entry.old) docs.set(entry.id, entry.old);
      else docs.delete(entry.id);
    }
    return docs;
  }

  /** What came after is gone. @param {number} n @returns {boolean} whether a step was torn by it */
  rollBackTo(n) {
    let torn = 0;
    while (this.entries.length > 0 && this.entries[this.entries.length - 1].n > n) {
      const entry = this.entries.pop();
      torn = entry.step;
      if (entry.op === 'c') entry.undo();
      else this.revertMembers(entry);
    }
    return torn !== 0 && this.entries[this.entries.length - 1]?.step === torn;
  }

  /** @param {any} entry */
  revertMembers({ uuid, id, old }) {
    const thing = this.byUuid(uuid);
    if (!thing) return;
    if (old) thing.docs.set(id, old);
    else thing.docs.delete(id);
  }

  time() {
    return new Time(this.newest);
  }
}

/** @param {Thing} thing @param {any} doc */
function checkUnique({ indexes, docs }, doc) {
  for (const index of indexes) {
    if (!index.unique || !isIn(index, doc)) continue;
    for (const other of docs.values()) {
      if (other._id !== doc._id && isIn(index, other) && hasSameKey(index, doc, other))
        throw duplicate(index, doc);
    }
  }
}

/** @param {any} index @param {any} doc */
const duplicate = (index, doc) =>
  refusal(11000, `E11000 duplicate key error index: ${index.name}`, {
    keyValue: Object.fromEntries(Object.keys(index.key).map((key) => [key, get(doc, key) ?? null])),
  });

/** @param {any} index @param {any} doc */
function isIn({ partialFilterExpression, sparse, key }, doc) {
  if (partialFilterExpression)
    return Object.entries(partialFilterExpression).every(([field, value]) =>
      same(get(doc, field) ?? null, value),
    );
  return !sparse || Object.keys(key).some((field) => get(doc, field) !== undefined);
}

/** @param {any} index @param {any} one @param {any} other */
const hasSameKey = ({ key }, one, other) =>
  Object.keys(key).every((field) => same(get(one, field) ?? null, get(other, field) ?? null));

/**
 * Two documents that a unique index cannot hold together.
 * @param {Thing} thing
 * @param {any} index
 */
function checkWhole(thing, index) {
  for (const doc of thing.docs.values()) checkUnique({ ...thing, indexes: [index] }, doc);
}

/** @param {string} ns */
const dbOf = (ns) => ns.slice(0, ns.indexOf('.'));
/** @param {string} ns */
const collOf = (ns) => ns.slice(ns.indexOf('.') + 1);

module.exports = { State, checkWhole, dbOf, collOf };
