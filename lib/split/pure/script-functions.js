'use strict';

/**
 * What every step of a script by hand uses, as mongosh runs it. Plain loops only: mongosh cannot
 * wait inside a sort or a reduce.
 */

/** For both ways. */
const COMMON = `
// ---- Functions. They are only defined here; nothing is done yet.
function at(database, name) { return db.getSiblingDB(database).getCollection(name); }
// Patterns as the server has them: those of JavaScript do not know all its flags.
function infoOf(database, name) { return db.getSiblingDB(database).runCommand({ listCollections: 1, filter: { name: name } }, { bsonRegExp: true }).cursor.firstBatch[0]; }
function refusal(sentence) { return [{ $match: { $expr: { $toInt: sentence } } }]; }
function secondary(indexes) { return indexes.filter((index) => index.name !== "_id_" && !index.clustered); }

function uuidOf(database, name) {
  const info = infoOf(database, name);
  if (info?.type !== "collection") throw new Error(database + "." + name + " is no collection: check what has its name");
  return info.info.uuid;
}
function hexOf(uuid) { return Buffer.from(uuid.buffer).toString("hex"); }
function isPlanned(move, uuid) { return !move.uuid || hexOf(uuid) === move.uuid.replaceAll("-", ""); }

// ---- Operations of a step. A step ends at the first that fails, before it has done anything.
// Fails (26) where no collection has this UUID. No document has this _id: nothing is deleted.
function isThere(database, name, uuid) { return { op: "d", ns: database + "." + name, ui: uuid, o: { _id: new ObjectId() } }; }
// Fails (72) where a collection has the name. A refusing view of that name refuses as before.
function isNoCollection(database, name) { return command(database, { collMod: name, viewOn: "none", pipeline: refusal("about to be replaced by mongosh-tune") }); }
// With a UUID it means that collection, whatever has its name by then.
function command(database, what, uuid) { return { op: "c", ns: database + ".$cmd", o: what, ...(uuid && { ui: uuid }) }; }
function rename(database, from, to, uuid) { return command(database, { renameCollection: database + "." + from, to: database + "." + to }, uuid); }

// Collections that stages of a view name, at any depth.
function joined(value) {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, inner]) => [...(["$lookup", "$graphLookup", "$unionWith"].includes(key) ? [inner?.from ?? inner?.coll ?? inner] : []), ...joined(inner)]);
}
// Views that read a name, themselves or through others.
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
// The server holds a view and all that read it to one collation, and to 20 views on one another. At the name of a
// collection it would refuse it after the rename; so it is tried first, on each view that reads the name.
function viewAt(database, name, viewOn, sentence) {
  const readers = readersOf(database, name);
  if (readers.some((one) => one.collation !== readers[0].collation || one.depth > 19)) throw new Error(database + "." + name + ": the views that read it have different collations, or are more than 19 on one another. Drop some of " + readers.map((one) => one.name).join(", "));
  const collation = readers.length > 0 ? readers[0].options.collation : undefined;
  const view = { viewOn: viewOn, pipeline: refusal(sentence), ...(collation && { collation: collation }) };
  const trial = "mongosh_tune_trial_" + new ObjectId().toString();
  return { tried: readers.flatMap((one) => [command(database, { create: trial, ...view, viewOn: one.name }), command(database, { drop: trial })]), view: { create: name, ...view } };
}

// A rename in the middle of an index build would end mongod.
function checkNoBuild(database, name) {
  if (infoOf(database, name)?.type !== "collection") return;
  const { cursor } = db.getSiblingDB(database).runCommand({ listIndexes: name, includeBuildUUIDs: true, cursor: { batchSize: 1000 } });
  if (cursor.firstBatch.some((index) => index.buildUUID)) throw new Error(database + "." + name + ": an index is being built. Wait for its end, then go on from here");
}

// Several operations as one step, so that no write can come between them. Each is an applyOps of its own: so the
// server asks for the privileges of each alone. Any open transaction delays it. So the lock is tried for half a
// second first, with a command that finds nothing to do: the step itself must not end between two operations.
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
  throw new Error("an open transaction holds the server's lock: end it, then go on from here");
}

// The name in the new place is taken at once, so that an application which comes too early gets an error.
function prepare(move) {
  const uuid = uuidOf(move.database, move.collection);
  if (!isPlanned(move, uuid)) throw new Error(move.ns + " is another collection than the one that was planned for");
  if (infoOf(move.targetDatabase, move.collection)) throw new Error(move.targetDatabase + "." + move.collection + " is there already");
  db.getSiblingDB(move.targetDatabase).runCommand(viewAt(move.targetDatabase, move.collection, "none", move.notYet).view);
  const options = infoOf(move.database, move.collection).options;
  if (options.clusteredIndex) options.clusteredIndex = { key: options.clusteredIndex.key, unique: true };
  db.getSiblingDB(move.targetDatabase).runCommand({ create: move.stagingName, ...options, writeConcern: { w: "majority" } });
}

function buildIndexes(move, source) {
  // An index made without a collation gets that of its collection, and the server does not report the simple one.
  const own = infoOf(move.database, source).options.collation;
  const indexes = secondary(at(move.database, source).getIndexes()).map((index) => (own && !index.collation ? { ...index, collation: { locale: "simple" } } : index));
  if (indexes.length > 0) db.getSiblingDB(move.targetDatabase).runCommand({ createIndexes: move.stagingName, indexes: indexes, writeConcern: { w: "majority" } });
}

// With the types of their values. The order of a key counts, that of options does not.
function definitionsOf(database, name) {
  const text = (value) => EJSON.stringify({ value: value }, { relaxed: false });
  const defined = {};
  const options = infoOf(database, name).options;
  for (const option of Object.keys(options)) {
    const value = options[option];
    defined["the option " + option] = text(option === "clusteredIndex" ? value.key : value); // it may be called something else
  }
  for (const { ns, ...index } of secondary(at(database, name).getIndexes())) defined["the index " + index.name] = text(Object.entries(index).sort());
  return defined;
}

// What was changed between two blocks would be missing in the new place.
function sameDefinitions(move, source) {
  const here = definitionsOf(move.database, source), there = definitionsOf(move.targetDatabase, move.stagingName);
  const differing = [];
  for (const what of new Set(Object.keys(here).concat(Object.keys(there)))) if (here[what] !== there[what]) differing.push(what);
  if (differing.length > 0) throw new Error(move.ns + " was changed since this script began: " + differing.join(", ") + ". Make the same change to " + move.targetDatabase + "." + move.stagingName + " and go on from here, or go back");
}

// From here on every write to the source is refused (error 166), and every read (241, with the sentence).
function cut(move) {
  const uuid = uuidOf(move.database, move.collection);
  const { tried, view } = viewAt(move.database, move.collection, move.renamedTo, move.moved);
  try {
    both(move.database, [move.collection], [
      isThere(move.database, move.collection, uuid), isNoCollection(move.database, move.renamedTo), ...tried,
      rename(move.database, move.collection, move.renamedTo, uuid), command(move.database, view),
    ]);
  } catch (error) {
    // Renamed without the view: the name would take writes.
    if (infoOf(move.database, move.renamedTo) && !infoOf(move.database, move.collection)) both(move.database, [move.renamedTo], [rename(move.database, move.renamedTo, move.collection, uuid)]);
    throw error;
  }
  if (infoOf(move.database, move.collection)?.type !== "view" || infoOf(move.database, move.renamedTo)?.type !== "collection") throw new Error(move.ns + " is not cut off: check it before you go on");
}

// A collection takes the place of the view that refuses.
function put(database, name, data) {
  const uuid = uuidOf(database, data);
  both(database, [data], [isThere(database, data, uuid), isNoCollection(database, name), command(database, { drop: name }), rename(database, data, name, uuid)]);
  if (hexOf(uuidOf(database, name)) !== hexOf(uuid)) throw new Error(database + "." + name + " did not open: check it before you go on");
}

// The new place opens.
function open(move) { put(move.targetDatabase, move.collection, move.stagingName); }

// Only before the new place has opened: the source answers again, and the copy goes.
function goBack(move) {
  if (infoOf(move.targetDatabase, move.collection)?.type === "collection") throw new Error(move.targetDatabase + "." + move.collection + " has opened: nothing was done");
  if (infoOf(move.database, move.renamedTo)) put(move.database, move.collection, move.renamedTo);
  const copy = infoOf(move.targetDatabase, move.stagingName);
  const view = infoOf(move.targetDatabase, move.collection);
  both(move.targetDatabase, [move.stagingName], [
    isThere(move.database, move.collection, uuidOf(move.database, move.collection)), isNoCollection(move.targetDatabase, move.collection),
    ...(view ? [command(move.targetDatabase, { drop: move.collection })] : []),
    ...(copy ? [command(move.targetDatabase, { drop: move.stagingName }, copy.info.uuid)] : []),
  ]);
}

// Only once the new place has all the data: what was kept for a way back goes, and the old name becomes free.
function dropOld(move) {
  const old = uuidOf(move.database, move.renamedTo);
  if (!isPlanned(move, old)) throw new Error(move.database + "." + move.renamedTo + " is another collection than the one that was moved: nothing was done");
  both(move.database, [move.renamedTo], [
    isThere(move.targetDatabase, move.collection, uuidOf(move.targetDatabase, move.collection)), isNoCollection(move.database, move.collection),
    ...(infoOf(move.database, move.collection) ? [command(move.database, { drop: move.collection })] : []),
    command(move.database, { drop: move.renamedTo }, old),
  ]);
}

// The _ids of documents that are not the same, to the last byte, on both sides: of all, or of those given.
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
  if (here !== there) throw new Error(move.ns + ": " + here + " documents here, " + there + " there: check before you go on");
}`;

module.exports = { COMMON };
