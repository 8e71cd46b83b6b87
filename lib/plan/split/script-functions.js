'use strict';

/** What every step of a script by hand uses, as mongosh runs it. Plain loops only: mongosh cannot wait inside a sort or a reduce. */

/** For both ways. */
const COMMON = `
// ---- Functions. They are only defined here; nothing is done yet.
function at(database, name) { return db.getSiblingDB(database).getCollection(name); }
// Patterns as the server has them: those of JavaScript do not know all its flags.
function infoOf(database, name) { return db.getSiblingDB(database).runCommand({ listCollections: 1, filter: { name: name } }, { bsonRegExp: true }).cursor.firstBatch[0]; }
function refusal(sentence) { return [{ $match: { $expr: { $toInt: sentence } } }]; }
function secondary(indexes) { return indexes.filter((index) => index.name !== "_id_" && !index.clustered); }

// Two commands as one, so that no write can come between them; each is an applyOps of its own, so that the server
// asks for the rights to each alone. A transaction that wrote to the collection makes it wait. So the lock is tried
// for half a second first, with a command that finds nothing to do: the step itself must not end half way.
function both(database, commands) {
  const alone = (command) => ({ op: "c", ns: "admin.$cmd", o: { applyOps: [{ op: "c", ns: database + ".$cmd", o: command }] } });
  const nothing = { renameCollection: database + ".mongosh_tune_asks_whether_it_may", to: database + ".mongosh_tune_asks_whether_it_may_either" };
  for (let tries = 0; tries < 60; tries++) {
    let code = 0;
    try { db.getSiblingDB("admin").runCommand({ applyOps: [alone(nothing)], maxTimeMS: 500 }); } catch (error) {
      if (error.code !== 50 && error.code !== 26) throw error;
      code = error.code;
    }
    if (code !== 50) return db.getSiblingDB("admin").runCommand({ applyOps: commands.map(alone), maxTimeMS: 10000, writeConcern: { w: "majority" } });
    sleep(500);
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
  both(move.database, [
    { renameCollection: move.ns, to: move.database + "." + move.aside },
    { create: move.collection, viewOn: move.aside, pipeline: refusal(move.moved) },
  ]);
  if (infoOf(move.database, move.collection)?.type !== "view" || infoOf(move.database, move.aside)?.type !== "collection") throw new Error(move.ns + " is not cut off: look at it before you go on");
}

// The new place opens.
function open(move) {
  both(move.targetDatabase, [
    { drop: move.collection },
    { renameCollection: move.targetDatabase + "." + move.working, to: move.targetDatabase + "." + move.collection },
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

module.exports = { COMMON };
