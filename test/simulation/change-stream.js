'use strict';

const { matches } = require('./query');
const { collOf, dbOf } = require('./state');
const { Time, rawId, refusal } = require('./values');

/**
 * One look at a stream of changes of a database: what most members have, behind where the client
 * is. `token.n` is the moment behind which it is.
 * @param {any} server
 * @param {any} op
 * @returns {any}
 */
function* changeStream(server, op) {
  const {
    db,
    command: { token, start, pipeline, batchSize = 101, maxAwaitTimeMS },
  } = op;
  const { state } = server;
  const from = token ? token.n : start - 1;
  if (from < state.oldest)
    throw refusal(
      286,
      'Resume of change stream was not possible, as the resume point may no longer be in the oplog.',
    );
  // It waits for news a while.
  if (
    !state.entries.length ||
    state.entries[state.entries.length - 1].n <= from ||
    state.majority <= from
  )
    yield { ms: maxAwaitTimeMS };
  const events = [];
  const { entries } = state;
  let i = entries.length;
  while (i > 0 && entries[i - 1].n > from) i -= 1;
  for (
    ;
    i < entries.length && entries[i].n <= state.majority && events.length < batchSize;
    i += 1
  ) {
    const event = eventOf(entries[i], db);
    if (event && matches(pipeline[0].$match, event)) events.push(event);
    if (event?.operationType === 'dropDatabase')
      events.push({
        operationType: 'invalidate',
        clusterTime: event.clusterTime,
        wallTime: event.wallTime,
      });
  }
  const isFull = events.length === batchSize;
  return {
    ok: 1,
    events,
    token: { n: isFull ? events[events.length - 1].clusterTime.n : Math.max(from, state.majority) },
  };
}

/** @param {any} entry @param {string} db @returns {any} */
function eventOf({ op, ns, n, id, what, to, wall, uuid }, db) {
  // Of views nothing is told.
  if (op === 'n' || dbOf(ns) !== db || uuid.startsWith('view')) return null;
  const common = {
    ns: { db, coll: collOf(ns) },
    clusterTime: new Time(n),
    wallTime: new Date(wall),
  };
  if (op !== 'c')
    return {
      operationType: DOCUMENTS[op],
      documentKey: { _id: id },
      rawKey: [rawId(id)],
      isDocument: true,
      ...common,
    };
  if (what === 'rename')
    return { operationType: 'rename', to: { db: dbOf(to), coll: collOf(to) }, ...common };
  if (what === 'dropDatabase') return { operationType: what, ...common, ns: { db } };
  if (what === 'drop') return { operationType: what, ...common };
  return null;
}
const DOCUMENTS = Object.freeze({ i: 'insert', u: 'update', d: 'delete' });

module.exports = { changeStream };
