'use strict';

/** Where changes can be followed. */
const ONLINE = `
// Changes are followed by _id alone: the documents go from collection to collection inside the server.
// The stream begins at the time of the call, not when it is first read.
function follow(move) {
  const { operationTime } = db.getSiblingDB("admin").runCommand({ ping: 1 });
  move.parked = [];
  move.stream = at(move.database, move.collection).watch([{ $project: { documentKey: 1, operationType: 1, to: 1, clusterTime: 1 } }], { startAtOperationTime: operationTime });
}

// Makes the documents with these _ids the same on both sides, as the source has them now. Whatever changes
// after that makes a later event.
function converge(move, source, changed) {
  const ids = changed.concat(move.parked);
  move.parked = [];
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
    // A unique value wandered to another document, or an _id changed only in what its collation ignores.
    to.deleteMany({ _id: { $in: ids } }, { writeConcern: { w: "majority" } });
    try {
      merge(move, from, ids);
    } catch (again) {
      if (again.code !== 11000) throw again;
      move.parked = ids; // the other document has an event of its own, which comes
    }
  }
}

// After the cut nothing comes any more: what waited for another document must go in now.
function settle(move) {
  for (let tries = 0; move.parked.length > 0; tries++) {
    if (tries === 10) throw new Error(move.ns + ": " + move.parked.length + " documents are in the way of each other: go back");
    converge(move, move.renamedTo, []);
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

// Brings the changes along up to the time of the call or, after the cut, to the last one.
// Answers whether the source was cut off.
function catchUp(move, source, toTheEnd) {
  const { operationTime } = db.getSiblingDB("admin").runCommand({ ping: 1 });
  let ids = [], quiet = 0;
  for (;;) {
    const event = move.stream.tryNext();
    if (event === null) {
      converge(move, source, ids); ids = [];
      quiet++;
      if (!toTheEnd && quiet === 2) return false;
      continue;
    }
    quiet = 0;
    if (event.operationType === "rename" && event.to.coll === move.renamedTo) { converge(move, source, ids); return true; }
    if (!event.documentKey) throw new Error(move.ns + ": " + event.operationType + " happened to it; begin again");
    ids.push(event.documentKey._id);
    const now = !toTheEnd && event.clusterTime.greaterThanOrEqual(operationTime);
    if (ids.length === 500 || now) { converge(move, source, ids); ids = []; }
    if (now) return false;
  }
}

// All _ids of all types, a range at a time; between two of them the changes are brought along.
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
  converge(move, move.collection, [null]);
}

// A copy made while it changes can hold a unique value twice for a moment: then once more.
function buildIndexesAndFollow(move) {
  for (let tries = 0; tries < 10; tries++) {
    catchUp(move, move.collection, false);
    try { buildIndexes(move, move.collection); return catchUp(move, move.collection, false); } catch (error) { if (error.code !== 11000) throw error; }
  }
  throw new Error(move.ns + ": its unique indexes cannot be built while it is written");
}

// What is written all the time differs whenever one looks: it is compared again when nothing moves any more.
function verify(move) {
  let ids = differences(move, move.collection);
  for (let tries = 0; ids.length > 0 && tries < 5; tries++) {
    catchUp(move, move.collection, false);
    converge(move, move.collection, ids);
    ids = differences(move, move.collection, ids);
  }
  move.again = ids;
}

function verifyRest(move) {
  const ids = move.again ? differences(move, move.renamedTo, move.again) : [];
  if (ids.length > 0) throw new Error(move.ns + ": " + ids.length + " documents differ: go back. The first: " + EJSON.stringify(ids.slice(0, 5)));
}`;

module.exports = { ONLINE };
