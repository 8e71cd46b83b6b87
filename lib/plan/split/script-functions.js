'use strict';

/** What every step of a script by hand uses, as mongosh runs it. Plain loops only: mongosh cannot wait inside a sort or a reduce. */

/** For both ways. */
const COMMON = `
// ---- Functions. They are only defined here; nothing is done yet.
function at(database, name) { return db.getSiblingDB(database).getCollection(name); }
function infoOf(database, name) { return db.getSiblingDB(database).getCollectionInfos({ name: name })[0]; }
function refusal(sentence) { return [{ $match: { $expr: { $toInt: sentence } } }]; }
function secondary(indexes) { return indexes.filter((index) => index.name !== "_id_" && !index.clustered); }

// Two commands as one, so that no write can come between them. A transaction that wrote to the collection
// makes it wait: then it is given up after half a second, nothing has happened, and it is tried again.
function both(operations) {
  for (let tries = 0; tries < 60; tries++) {
    try {
      return db.getSiblingDB("admin").runCommand({ applyOps: operations, maxTimeMS: 500 });
    } catch (error) {
      if (error.code !== 50) throw error;
      sleep(500);
    }
  }
  throw new Error("transactions hold the collection: end them, then go on from here");
}

// The name in the new place is taken at once, so that an application which comes too early gets an error.
function prepare(move) {
  if (infoOf(move.database, move.collection)?.type !== "collection") throw new Error(move.ns + " is no collection");
  if (infoOf(move.targetDatabase, move.collection)) throw new Error(move.targetDatabase + "." + move.collection + " is there already");
  db.getSiblingDB(move.targetDatabase).createView(move.collection, "none", refusal(move.notYet));
  const options = infoOf(move.database, move.collection).options;
  if (options.clusteredIndex) options.clusteredIndex = { key: options.clusteredIndex.key, unique: true };
  db.getSiblingDB(move.targetDatabase).runCommand({ create: move.working, ...options, writeConcern: { w: "majority" } });
}

function buildIndexes(move, source) {
  const indexes = secondary(at(move.database, source).getIndexes());
  if (indexes.length > 0) db.getSiblingDB(move.targetDatabase).runCommand({ createIndexes: move.working, indexes: indexes, writeConcern: { w: "majority" } });
}

// From here on every write to the source is refused (error 166), and every read (241, with the sentence).
function cut(move) {
  both([
    { op: "c", ns: move.database + ".$cmd", o: { renameCollection: move.ns, to: move.database + "." + move.aside } },
    { op: "c", ns: move.database + ".$cmd", o: { create: move.collection, viewOn: move.aside, pipeline: refusal(move.moved) } },
  ]);
  if (infoOf(move.database, move.collection)?.type !== "view" || infoOf(move.database, move.aside)?.type !== "collection") throw new Error(move.ns + " is not cut off: look at it before you go on");
}

// The new place opens.
function open(move) {
  both([
    { op: "c", ns: move.targetDatabase + ".$cmd", o: { drop: move.collection } },
    { op: "c", ns: move.targetDatabase + ".$cmd", o: { renameCollection: move.targetDatabase + "." + move.working, to: move.targetDatabase + "." + move.collection } },
  ]);
  if (infoOf(move.targetDatabase, move.collection)?.type !== "collection") throw new Error(move.targetDatabase + "." + move.collection + " did not open: look at it before you go on");
}

// The _ids of documents that are not the same, to the last byte, on both sides: of all, or of those given.
function differences(move, source, ids) {
  const differing = [];
  const from = at(move.database, source), to = at(move.targetDatabase, move.working);
  function compare(batch) {
    const there = new Map();
    for (const one of to.find({ _id: { $in: batch.map((document) => document._id) } }).toArray()) there.set(EJSON.stringify(one._id, { relaxed: false }), EJSON.stringify(one, { relaxed: false }));
    for (const one of batch) if (there.get(EJSON.stringify(one._id, { relaxed: false })) !== EJSON.stringify(one, { relaxed: false })) differing.push(one._id);
  }
  let batch = [];
  const cursor = ids ? from.find({ _id: { $in: ids } }) : from.find().hint({ _id: 1 });
  while (cursor.hasNext()) {
    batch.push(cursor.next());
    if (batch.length === 200) { compare(batch); batch = []; }
  }
  compare(batch);
  return differing;
}

function sameCount(move, source) {
  const [here, there] = [at(move.database, source).countDocuments({}), at(move.targetDatabase, move.working).countDocuments({})];
  if (here !== there) throw new Error(move.ns + ": " + here + " documents here, " + there + " there: look before you go on");
}`;

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
  const from = at(move.database, source), to = at(move.targetDatabase, move.working);
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
    converge(move, move.aside, []);
  }
}

function merge(move, from, ids) {
  const into = { db: move.targetDatabase, coll: move.working };
  from.aggregate([{ $match: { _id: { $in: ids.filter((id) => id !== null) } } }, { $merge: { into: into, on: "_id", whenMatched: "replace", whenNotMatched: "insert" } }],
    { readConcern: { level: "majority" }, writeConcern: { w: "majority" }, bypassDocumentValidation: true });
  if (ids.includes(null)) { // $merge takes no _id of null
    const one = from.findOne({ _id: { $type: "null" } });
    if (one) at(move.targetDatabase, move.working).replaceOne({ _id: { $type: "null" } }, one, { upsert: true, bypassDocumentValidation: true });
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
    if (event.operationType === "rename" && event.to.coll === move.aside) { converge(move, source, ids); return true; }
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
    from.aggregate([{ $match: { $expr: { $and: within } } }, { $match: { _id: { $ne: null } } }, { $merge: { into: { db: move.targetDatabase, coll: move.working }, on: "_id", whenMatched: "replace", whenNotMatched: "insert" } }],
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
  throw new Error(move.ns + ": its unique indexes can not be built while it is written");
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
  const ids = move.again ? differences(move, move.aside, move.again) : [];
  if (ids.length > 0) throw new Error(move.ns + ": " + ids.length + " documents differ: go back. The first: " + EJSON.stringify(ids.slice(0, 5)));
}`;

module.exports = { COMMON, ONLINE };
