'use strict';

/**
 * The functions that every step of a script by hand uses, as mongosh runs it. They have plain loops
 * only: mongosh cannot wait inside a sort or a reduce.
 */

/** The functions for both ways. */
const COMMON = `
// ---- Functions: these lines only define them.
function at(database, name) { return db.getSiblingDB(database).getCollection(name); }
// Regular expressions as BSON: JavaScript does not support all flags of the server.
function infoOf(database, name) { return db.getSiblingDB(database).runCommand({ listCollections: 1, filter: { name: name } }, { bsonRegExp: true }).cursor.firstBatch[0]; }
function refusal(sentence) { return [{ $match: { $expr: { $toInt: sentence } } }]; }
function secondary(indexes) { return indexes.filter((index) => index.name !== "_id_" && !index.clustered); }

function uuidOf(database, name) {
  const info = infoOf(database, name);
  if (info?.type !== "collection") throw new Error(database + "." + name + " is not a collection: check its type");
  return info.info.uuid;
}
function hexOf(uuid) { return Buffer.from(uuid.buffer).toString("hex"); }
function isPlanned(move, uuid) { return !move.uuid || hexOf(uuid) === move.uuid.replaceAll("-", ""); }

// ---- Operations of a step. If one fails, the step changes nothing.
// Fails (26) where no collection has this UUID. No document has this _id: nothing is deleted.
function isThere(database, name, uuid) { return { op: "d", ns: database + "." + name, ui: uuid, o: { _id: new ObjectId() } }; }
// Fails (72) where a collection has the name. A blocking view of that name stays.
function isNoCollection(database, name) { return command(database, { collMod: name, viewOn: "none", pipeline: refusal("about to be replaced by mongosh-tune") }); }
// With a UUID it applies to that collection only, even if another one has its name.
function command(database, what, uuid) { return { op: "c", ns: database + ".$cmd", o: what, ...(uuid && { ui: uuid }) }; }
function rename(database, from, to, uuid) { return command(database, { renameCollection: database + "." + from, to: database + "." + to }, uuid); }

// Collections in the stages of a view, at any depth.
function joined(value) {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, inner]) => [...(["$lookup", "$graphLookup", "$unionWith"].includes(key) ? [inner?.from ?? inner?.coll ?? inner] : []), ...joined(inner)]);
}
// Views that read a name, directly or through other views.
function readersOf(database, name) {
  const views = db.getSiblingDB(database).runCommand({ listCollections: 1, filter: { type: "view" } }).cursor.firstBatch;
  const readers = [];
  let level = [name];
  for (let depth = 1; level.length > 0 && depth <= 21; depth++) {
    const above = views.filter((view) => [view.options.viewOn, ...joined(view.options.pipeline)].some((one) => level.includes(one)));
    for (const view of above) readers.push({ name: view.name, collation: JSON.stringify(view.options.collation), options: view.options, depth: depth });
    level = above.map((view) => view.name);
  }
  return readers;
}
// A view and all views that read it must have one collation and at most 20 levels. At the name of a collection
// the server would reject the view only after the rename, so it is tried first, on each view that reads the name.
function viewAt(database, name, viewOn, sentence) {
  const readers = readersOf(database, name);
  if (readers.some((one) => one.collation !== readers[0].collation || one.depth > 19)) throw new Error(database + "." + name + ": the views that read it have different collations, or are more than 19 levels deep. Drop some of " + readers.map((one) => one.name).join(", "));
  const collation = readers.length > 0 ? readers[0].options.collation : undefined;
  const view = { viewOn: viewOn, pipeline: refusal(sentence), ...(collation && { collation: collation }) };
  const trial = "mongosh_tune_trial_" + new ObjectId().toString();
  return { tried: readers.flatMap((one) => [command(database, { create: trial, ...view, viewOn: one.name }), command(database, { drop: trial })]), view: { create: name, ...view } };
}

// A rename during an index build crashes mongod.
function checkNoBuild(database, name) {
  if (infoOf(database, name)?.type !== "collection") return;
  const { cursor } = db.getSiblingDB(database).runCommand({ listIndexes: name, includeBuildUUIDs: true, cursor: { batchSize: 1000 } });
  if (cursor.firstBatch.some((index) => index.buildUUID)) throw new Error(database + "." + name + ": an index is being built. Wait until it is done, then continue here");
}

// Several operations as one step, so that no write can come between them. Each is its own applyOps, so the server
// checks the privileges of each alone. Any open transaction delays it. So the lock is tried for half a second first,
// with a command that does nothing: the step itself must not fail between two operations.
function both(database, names, operations) {
  const alone = (one) => ({ op: "c", ns: "admin.$cmd", o: { applyOps: [one] } });
  const nothing = command(database, { renameCollection: database + ".mongosh_tune_asks_whether_it_may", to: database + ".mongosh_tune_asks_whether_it_may_either" });
  for (let tries = 0; tries < 60; tries++) {
    let code = 0;
    try { db.getSiblingDB("admin").runCommand({ applyOps: [alone(nothing)], maxTimeMS: 500 }); } catch (error) {
      if (error.code !== 50 && error.code !== 26) throw error;
      code = error.code;
    }
    if (code !== 50) {
      for (const name of names) checkNoBuild(database, name);
      return db.getSiblingDB("admin").runCommand({ applyOps: operations.map(alone), maxTimeMS: 3000, writeConcern: { w: "majority" } });
    }
    sleep(500);
  }
  throw new Error("an open transaction holds the server's lock: end it, then continue here");
}

// The target namespace is blocked at once, so that an application that switches too early gets an error.
function prepare(move) {
  const uuid = uuidOf(move.database, move.collection);
  if (!isPlanned(move, uuid)) throw new Error(move.ns + " was replaced by another collection since the plan was made");
  if (infoOf(move.targetDatabase, move.collection)) throw new Error(move.targetDatabase + "." + move.collection + " already exists");
  db.getSiblingDB(move.targetDatabase).runCommand(viewAt(move.targetDatabase, move.collection, "none", move.notYet).view);
  const options = infoOf(move.database, move.collection).options;
  if (options.clusteredIndex) options.clusteredIndex = { key: options.clusteredIndex.key, unique: true };
  db.getSiblingDB(move.targetDatabase).runCommand({ create: move.stagingName, ...options, writeConcern: { w: "majority" } });
}

function buildIndexes(move, source) {
  // An index created without a collation gets that of its collection, and the server does not report the simple one.
  const own = infoOf(move.database, source).options.collation;
  const indexes = secondary(at(move.database, source).getIndexes()).map((index) => (own && !index.collation ? { ...index, collation: { locale: "simple" } } : index));
  if (indexes.length > 0) db.getSiblingDB(move.targetDatabase).runCommand({ createIndexes: move.stagingName, indexes: indexes, writeConcern: { w: "majority" } });
}

// With BSON types. The order of index keys matters, that of options does not.
function definitionsOf(database, name) {
  const text = (value) => EJSON.stringify({ value: value }, { relaxed: false });
  const defined = {};
  const options = infoOf(database, name).options;
  for (const option of Object.keys(options)) {
    const value = options[option];
    defined["the option " + option] = text(option === "clusteredIndex" ? value.key : value); // its name may differ
  }
  for (const { ns, ...index } of secondary(at(database, name).getIndexes())) defined["the index " + index.name] = text(Object.entries(index).sort());
  return defined;
}

// A change between two blocks would be missing in the target.
function sameDefinitions(move, source) {
  const here = definitionsOf(move.database, source), there = definitionsOf(move.targetDatabase, move.stagingName);
  const differing = [];
  for (const what of new Set(Object.keys(here).concat(Object.keys(there)))) if (here[what] !== there[what]) differing.push(what);
  if (differing.length > 0) throw new Error(move.ns + " was changed since this script began: " + differing.join(", ") + ". Make the same change to " + move.targetDatabase + "." + move.stagingName + " and continue here, or roll back");
}

// From here on every write to the source fails (error 166), and every read (241, with the reason).
function blockSource(move) {
  const uuid = uuidOf(move.database, move.collection);
  const { tried, view } = viewAt(move.database, move.collection, move.renamedTo, move.moved);
  try {
    both(move.database, [move.collection], [
      isThere(move.database, move.collection, uuid), isNoCollection(move.database, move.renamedTo), ...tried,
      rename(move.database, move.collection, move.renamedTo, uuid), command(move.database, view),
    ]);
  } catch (error) {
    // Renamed without the view: the source namespace would take writes.
    if (infoOf(move.database, move.renamedTo) && !infoOf(move.database, move.collection)) both(move.database, [move.renamedTo], [rename(move.database, move.renamedTo, move.collection, uuid)]);
    throw error;
  }
  if (infoOf(move.database, move.collection)?.type !== "view" || infoOf(move.database, move.renamedTo)?.type !== "collection") throw new Error(move.ns + " is not blocked: check it before you continue");
}

// A collection replaces the blocking view.
function replaceView(database, name, data) {
  const uuid = uuidOf(database, data);
  both(database, [data], [isThere(database, data, uuid), isNoCollection(database, name), command(database, { drop: name }), rename(database, data, name, uuid)]);
  if (hexOf(uuidOf(database, name)) !== hexOf(uuid)) throw new Error(database + "." + name + " is still blocked: check it before you continue");
}

// The target becomes active.
function activateTarget(move) { replaceView(move.targetDatabase, move.collection, move.stagingName); }

// Only before the target is active: the source becomes active again, and the copy is dropped.
function rollBack(move) {
  if (infoOf(move.targetDatabase, move.collection)?.type === "collection") throw new Error(move.targetDatabase + "." + move.collection + " is already active: nothing was done");
  if (infoOf(move.database, move.renamedTo)) replaceView(move.database, move.collection, move.renamedTo);
  const copy = infoOf(move.targetDatabase, move.stagingName);
  const view = infoOf(move.targetDatabase, move.collection);
  both(move.targetDatabase, [move.stagingName], [
    isThere(move.database, move.collection, uuidOf(move.database, move.collection)), isNoCollection(move.targetDatabase, move.collection),
    ...(view ? [command(move.targetDatabase, { drop: move.collection })] : []),
    ...(copy ? [command(move.targetDatabase, { drop: move.stagingName }, copy.info.uuid)] : []),
  ]);
}

// Only when the target has all data: the renamed source is dropped, and so is the view that blocks its name.
function dropOldData(move) {
  const old = uuidOf(move.database, move.renamedTo);
  if (!isPlanned(move, old)) throw new Error(move.database + "." + move.renamedTo + " is not the collection that was moved: nothing was done");
  both(move.database, [move.renamedTo], [
    isThere(move.targetDatabase, move.collection, uuidOf(move.targetDatabase, move.collection)), isNoCollection(move.database, move.collection),
    ...(infoOf(move.database, move.collection) ? [command(move.database, { drop: move.collection })] : []),
    command(move.database, { drop: move.renamedTo }, old),
  ]);
}

// The _ids of documents that differ between the two sides: of all documents, or of those given.
function differences(move, source, ids) {
  const differing = [];
  const from = at(move.database, source), to = at(move.targetDatabase, move.stagingName);
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
  const [here, there] = [at(move.database, source).countDocuments({}), at(move.targetDatabase, move.stagingName).countDocuments({})];
  if (here !== there) throw new Error(move.ns + ": " + here + " documents in the source, " + there + " in the copy: check before you continue");
}`;

module.exports = { COMMON };
