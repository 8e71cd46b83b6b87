'use strict';

const { matches, seedOfUpsert, updated, projected } = require('./query');
const { compare, copy, get, refusal } = require('./values');
const { evaluate } = require('./query');

/** Commands that read and write documents. */

/** @param {any} thing */
const checkWritable = (thing) => {
  if (thing?.kind === 'view')
    throw refusal(166, `Taking ${thing.ns} lock for write is not allowed on a view`);
};

/**
 * The documents that a read of a name sees; a view of ours refuses, or shows what is below it.
 * @param {any} server @param {string} ns @param {boolean} [isMajority] @returns {Map<any, any>}
 */
function docsOf(server, ns, isMajority = false) {
  const thing = server.state.find(ns);
  if (!thing) return new Map();
  if (thing.kind === 'collection')
    return isMajority ? server.state.majorityDocs(thing) : thing.docs;
  for (const { $match } of thing.pipeline) if ($match?.$expr) evaluate($match.$expr, {}, null);
  return docsOf(server, `${ns.slice(0, ns.indexOf('.'))}.${thing.viewOn}`, isMajority);
}

/** @param {Map<any, any>} docs @param {any} filter @param {Date} now @returns {any[]} */
function select(docs, filter = {}, now) {
  const list = idsIn(filter);
  // Those are asked for by their _id most of the time.
  if (list)
    return list
      .map((/** @type {any} */ id) => docs.get(id ?? null))
      .filter((/** @type {any} */ doc) => doc && matches(filter, doc, now));
  const found = [];
  for (const doc of docs.values()) if (matches(filter, doc, now)) found.push(doc);
  return found;
}

/** @param {any} filter @returns {any[] | null} */
function idsIn({ _id }) {
  if (_id === undefined) return null;
  if (_id === null || typeof _id !== 'object') return [_id];
  return _id.$in &&
    Object.keys(_id).length === 1 &&
    _id.$in.every((/** @type {any} */ one) => typeof one !== 'object' || one === null)
    ? _id.$in
    : null;
}

/** @param {any[]} docs @param {any} sort */
function sorted(docs, sort) {
  if (!sort) return docs;
  const keys = Object.entries(sort);
  return [...docs].sort((a, b) => {
    for (const [key, way] of keys) {
      const sign = compare(get(a, key), get(b, key));
      if (sign !== 0) return sign * way;
    }
    return 0;
  });
}

/** @param {any} server @param {any} op */
function find(server, op) {
  const { command, db } = op;
  const ns = `${db}.${command.find}`;
  op.transaction?.reads.add(server.state.find(ns));
  const isMajority = command.readConcern?.level === 'majority';
  let found = sorted(
    select(docsOf(server, ns, isMajority), command.filter, server.now()),
    command.sort,
  );
  if (command.skip) found = found.slice(command.skip);
  if (command.limit) found = found.slice(0, command.limit);
  if (command.projection)
    found = found.map((doc) => projected(command.projection, doc, server.now()));
  return { ok: 1, cursor: { id: 0, ns, firstBatch: found } };
}

/** @param {any} server @param {any} op */
const count = (server, { db, command }) => ({
  ok: 1,
  n: select(docsOf(server, `${db}.${command.count}`), command.query, server.now()).length,
});

/** @param {any} server @param {string} ns */
function writable(server, ns) {
  const thing = server.state.find(ns);
  checkWritable(thing);
  return thing ?? server.state.create(ns);
}

/**
 * @param {any[]} items
 * @param {(item: any) => any} one
 * @returns {any} writes are done one by one until one fails
 */
function each(items, one) {
  const answer = { ok: 1, n: 0, writeErrors: /** @type {any[] | undefined} */ (undefined) };
  for (const [index, item] of items.entries()) {
    try {
      answer.n += one(item);
    } catch (error) {
      if (typeof error.code !== 'number') throw error;
      answer.writeErrors = [
        { index, code: error.code, errmsg: error.message, keyValue: error.keyValue },
      ];
      break;
    }
  }
  return answer;
}

/** @param {any} server @param {any} op @returns {any} */
function insert(server, op) {
  const { db, command } = op;
  const there = server.state.find(`${db}.${command.insert}`);
  const holder =
    there &&
    command.documents
      .map((/** @type {any} */ { _id }) => server.ownerOf(op, there, _id))
      .find(Boolean);
  if (holder) return later(server, op, holder);
  return each(command.documents, (given) => {
    const thing = writable(server, `${db}.${command.insert}`);
    const doc = copy(given);
    if (thing.docs.has(doc._id))
      throw refusal(11000, 'E11000 duplicate key error index: _id_', {
        keyValue: { _id: doc._id },
      });
    server.state.put(thing, doc._id, doc);
    return 1;
  });
}

/** @param {any} server @param {any} op @param {any} holder @returns {any} */
function* later(server, op, holder) {
  yield { transaction: holder };
  return op.name === 'insert' ? insert(server, op) : update(server, op);
}

/** @param {any} server @param {any} op */
function update(server, op) {
  const { db, command } = op;
  const known = server.state.find(`${db}.${command.update}`);
  const holder =
    known &&
    command.updates
      .map((/** @type {any} */ { q }) => server.ownerOf(op, known, q._id))
      .find(Boolean);
  if (holder) return later(server, op, holder);
  return each(command.updates, ({ q, u, upsert, multi }) => {
    const ns = `${db}.${command.update}`;
    const there = server.state.find(ns);
    checkWritable(there);
    const found = there ? select(there.docs, q, server.now()) : [];
    for (const doc of multi ? found : found.slice(0, 1)) {
      const made = updated(doc, u, server.now());
      server.state.put(there, doc._id, made);
    }
    if (found.length > 0 || !upsert) return multi ? found.length : Math.min(1, found.length);
    const made = updated(seedOfUpsert(q), u, server.now());
    server.state.put(there ?? writable(server, ns), made._id, made);
    return 1;
  });
}

/** @param {any} server @param {any} op */
function remove(server, { db, command, transaction }) {
  return each(command.deletes, ({ q, limit }) => {
    const there = server.state.find(`${db}.${command.delete}`);
    checkWritable(there);
    const found = there ? select(there.docs, q, server.now()) : [];
    const gone = limit === 1 ? found.slice(0, 1) : found;
    for (const { _id } of gone) {
      if (transaction) transaction.writes.push({ thing: there, id: _id, doc: null });
      else server.state.put(there, _id, null);
    }
    return gone.length;
  });
}

/** @param {any} server @param {any} op */
function findAndModify(server, { db, command }) {
  const {
    query = {},
    sort,
    remove: isRemoved,
    update: change,
    upsert,
    new: isNew,
    fields,
  } = command;
  const there = server.state.find(`${db}.${command.findAndModify}`);
  checkWritable(there);
  const [doc] = there ? sorted(select(there.docs, query, server.now()), sort) : [];
  if (!doc && !upsert)
    return { ok: 1, value: null, lastErrorObject: { n: 0, updatedExisting: false } };
  if (isRemoved) {
    server.state.put(there, doc._id, null);
    return { ok: 1, value: doc, lastErrorObject: { n: 1 } };
  }
  const made = updated(doc ?? seedOfUpsert(query), change, server.now());
  server.state.put(there ?? writable(server, `${db}.${command.findAndModify}`), made._id, made);
  const value = isNew ? made : (doc ?? null);
  return {
    ok: 1,
    value: value && fields ? projected(fields, value, server.now()) : value,
    lastErrorObject: { n: 1, updatedExisting: Boolean(doc) },
  };
}

module.exports = { find, count, insert, update, delete: remove, findAndModify };
Object.defineProperty(module.exports, 'parts', {
  value: { docsOf, select, sorted, checkWritable },
  enumerable: false,
});
