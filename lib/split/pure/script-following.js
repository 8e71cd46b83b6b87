'use strict';

/** The part of the script for a server on which changes can be followed. */
const ONLINE = `
// The change stream provides each _id only; the server copies the documents from collection to collection.
// The stream begins at the time of the call, not at its first read.
function follow(move) {
  const { operationTime } = db.getSiblingDB("admin").runCommand({ ping: 1 });
  move.pending = [];
  move.stream = at(move.database, move.collection).watch([{ $project: { documentKey: 1, operationType: 1, to: 1, clusterTime: 1 } }], { startAtOperationTime: operationTime });
}

// Copies the current state of the documents with these _ids from the source to the target. A later change has
// its own event.
function reconcile(move, source, changed) {
  const ids = changed.concat(move.pending);
  move.pending = [];
  if (ids.length === 0) return;
  const from = at(move.database, source), to = at(move.targetDatabase, move.stagingName);
  const here = new Set();
  for (const { _id } of from.find({ _id: { $in: ids } }, { _id: 1 }).readConcern("majority").toArray()) here.add(EJSON.stringify(_id, { relaxed: false }));
  const gone = ids.filter((id) => !here.has(EJSON.stringify(id, { relaxed: false })));
  if (gone.length > 0) to.deleteMany({ _id: { $in: gone } }, { writeConcern: { w: "majority" } });
  try {
    merge(move, from, ids);
  } catch (error) {
    if (error.code !== 11000 && error.code !== 66) throw error;
    // A unique value moved to another document, or an _id changed only in what its collation ignores.
    to.deleteMany({ _id: { $in: ids } }, { writeConcern: { w: "majority" } });
    try {
      merge(move, from, ids);
    } catch (again) {
      if (again.code !== 11000) throw again;
      move.pending = ids; // the other document has its own, later event
    }
  }
}

// After the source is blocked there are no more events: pending documents must be applied now.
function applyPending(move) {
  for (let tries = 0; move.pending.length > 0; tries++) {
    if (tries === 10) throw new Error(move.ns + ": " + move.pending.length + " documents have a unique conflict: roll back");
    reconcile(move, move.renamedTo, []);
  }
}

function merge(move, from, ids) {
  const into = { db: move.targetDatabase, coll: move.stagingName };
  from.aggregate([{ $match: { _id: { $in: ids.filter((id) => id !== null) } } }, { $merge: { into: into, on: "_id", whenMatched: "replace", whenNotMatched: "insert" } }],
    { readConcern: { level: "majority" }, writeConcern: { w: "majority" }, bypassDocumentValidation: true });
  if (ids.includes(null)) { // $merge takes no _id of null
    const one = from.findOne({ _id: { $type: "null" } });
    if (one) at(move.targetDatabase, move.stagingName).replaceOne({ _id: { $type: "null" } }, one, { upsert: true, bypassDocumentValidation: true });
  }
}

// Applies the changes up to the time of the call or, once the source is blocked, to the last one.
// Returns whether the source was renamed.
function catchUp(move, source, toTheEnd) {
  const { operationTime } = db.getSiblingDB("admin").runCommand({ ping: 1 });
  let ids = [], quiet = 0;
  for (;;) {
    const event = move.stream.tryNext();
    if (event === null) {
      reconcile(move, source, ids); ids = [];
      quiet++;
      if (!toTheEnd && quiet === 2) return false;
      continue;
    }
    quiet = 0;
    if (event.operationType === "rename" && event.to.coll === move.renamedTo) { reconcile(move, source, ids); return true; }
    if (!event.documentKey) throw new Error(move.ns + ": " + event.operationType + " changed the collection: start again");
    ids.push(event.documentKey._id);
    const now = !toTheEnd && event.clusterTime.greaterThanOrEqual(operationTime);
    if (ids.length === 500 || now) { reconcile(move, source, ids); ids = []; }
    if (now) return false;
  }
}

// All _ids of all types, one range at a time; after each range the changes are applied.
function copyInRanges(move) {
  const from = at(move.database, move.collection);
  let low = from.find({}, { _id: 1 }).sort({ _id: 1 }).limit(1).toArray()[0];
  while (low) {
    const high = from.find({}, { _id: 1 }).hint({ _id: 1 }).min({ _id: low._id }).skip(10000).limit(1).toArray()[0];
    const within = [{ $gte: ["$_id", { $literal: low._id }] }];
    if (high) within.push({ $lt: ["$_id", { $literal: high._id }] });
    from.aggregate([{ $match: { $expr: { $and: within } } }, { $match: { _id: { $ne: null } } }, { $merge: { into: { db: move.targetDatabase, coll: move.stagingName }, on: "_id", whenMatched: "replace", whenNotMatched: "insert" } }],
      { bypassDocumentValidation: true, writeConcern: { w: "majority" } });
    catchUp(move, move.collection, false);
    low = high;
  }
  reconcile(move, move.collection, [null]);
}

// A copy made under writes can briefly have a unique value twice: then retry.
function buildIndexesAndFollow(move) {
  for (let tries = 0; tries < 10; tries++) {
    catchUp(move, move.collection, false);
    try { buildIndexes(move, move.collection); return catchUp(move, move.collection, false); } catch (error) { if (error.code !== 11000) throw error; }
  }
  throw new Error(move.ns + ": its unique indexes cannot be built under these writes");
}

// A document under constant writes differs at each comparison: it is compared again once the source is blocked.
function verify(move) {
  let ids = differences(move, move.collection);
  for (let tries = 0; ids.length > 0 && tries < 5; tries++) {
    catchUp(move, move.collection, false);
    reconcile(move, move.collection, ids);
    ids = differences(move, move.collection, ids);
  }
  move.again = ids;
}

function verifyRest(move) {
  const ids = move.again ? differences(move, move.renamedTo, move.again) : [];
  if (ids.length > 0) throw new Error(move.ns + ": " + ids.length + " documents differ: roll back. The first: " + EJSON.stringify(ids.slice(0, 5)));
}`;

module.exports = { ONLINE };
