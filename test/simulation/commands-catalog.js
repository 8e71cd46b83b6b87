'use strict';

const { matches } = require('./query');
const { checkWhole, collOf, dbOf } = require('./state');
const { Uuid, copy, refusal } = require('./values');

/** Commands that make, change, list and drop collections and views. */

const OF_EVERY_COMMAND = new Set(['writeConcern', 'maxTimeMS', 'comment', '$db']);

const NO_SUCH = (/** @type {string} */ ns) => refusal(26, `ns not found: ${ns}`);

/** @param {any} server @param {any} op */
function create(server, { db, command }) {
  const { create: name } = command;
  const options = Object.fromEntries(
    Object.entries(command).filter(([key]) => !OF_EVERY_COMMAND.has(key) && key !== 'create'),
  );
  if (server.state.find(`${db}.${name}`))
    throw refusal(48, `namespace ${db}.${name} already exists`);
  server.state.create(`${db}.${name}`, copy(options));
  return { ok: 1 };
}

/** @param {any} server @param {any} op */
function drop(server, { db, command }) {
  const thing = server.state.find(`${db}.${command.drop}`);
  // 7.0 and later pass silently; 6.0 says so.
  if (!thing) throw NO_SUCH(`${db}.${command.drop}`);
  dropThing(server, thing);
  return { ok: 1 };
}

/** What builds its indexes is given up. @param {any} server @param {any} thing */
function dropThing(server, thing) {
  for (const build of [...thing.building])
    endBuild(server, build, refusal(276, 'index build aborted: collection dropped'));
  server.state.drop(thing);
}

/** @param {any} server @param {any} op */
function dropDatabase(server, { db }) {
  for (const thing of [...server.state.names.values()].filter(({ ns }) => dbOf(ns) === db))
    dropThing(server, thing);
  server.state.log({ op: 'c', what: 'dropDatabase', ns: `${db}.$cmd`, uuid: '', undo: () => {} });
  return { ok: 1 };
}

/** @param {any} server @param {any} op */
function renameCollection(server, { command }) {
  const { renameCollection: from, to, dropTarget } = command;
  const thing = server.state.find(from);
  if (!thing) throw NO_SUCH(from);
  if (thing.kind === 'view') throw refusal(166, `cannot rename view: ${from}`);
  const there = server.state.find(to);
  if (thing.building.length > 0 || (there && dropTarget && there.building?.length > 0))
    throw refusal(12587, 'cannot perform operation: an index build is currently running');
  if (there?.kind === 'view') throw refusal(48, `a view already exists with that name: ${to}`);
  if (there && !dropTarget) throw refusal(48, 'target namespace exists');
  if (there) dropThing(server, there);
  server.state.rename(thing, to);
  return { ok: 1 };
}

/** @param {any} server @param {any} op */
function collMod(server, op) {
  const thing = server.state.find(`${op.db}.${op.command.collMod}`);
  for (const transaction of server.locks.transactions)
    if (transaction.reads?.has(thing)) return afterThat(server, op, transaction);
  return modifyNow(server, op);
}

/**
 * It has its part of the global lock and waits for the collection's: a step waits for both.
 * @param {any} server @param {any} op @param {any} transaction @returns {any}
 */
function* afterThat(server, op, transaction) {
  op.transaction = { isPart: true };
  server.locks.transactions.add(op.transaction);
  yield { transaction };
  return modifyNow(server, op);
}

/** @param {any} server @param {any} op */
function modifyNow(server, { db, command }) {
  const ns = `${db}.${command.collMod}`;
  const thing = server.state.find(ns);
  if (!thing) throw NO_SUCH(ns);
  if (thing.building.length > 0)
    throw refusal(12587, 'cannot perform operation: an index build is currently running');
  modify(server, thing, command);
  return { ok: 1 };
}

/** @param {any} server @param {any} thing @param {any} change */
function modify(server, thing, { viewOn, pipeline, index, validator, validationLevel }) {
  if (viewOn !== undefined || pipeline !== undefined) {
    if (thing.kind !== 'view') throw refusal(72, 'option only supported on a view: viewOn');
    return server.state.change(thing, {
      viewOn: viewOn ?? thing.viewOn,
      pipeline: copy(pipeline ?? thing.pipeline),
    });
  }
  if (thing.kind === 'view') throw refusal(72, 'option not supported on a view');
  if (index) {
    const isIt = (/** @type {any} */ one) =>
      index.name
        ? one.name === index.name
        : JSON.stringify(one.key) === JSON.stringify(index.keyPattern);
    if (!thing.indexes.some(isIt))
      throw refusal(27, `cannot find index ${index.name} for ns ${thing.ns}`);
    server.state.change(thing, {
      indexes: thing.indexes.map((/** @type {any} */ one) =>
        isIt(one)
          ? {
              ...one,
              ...('expireAfterSeconds' in index && {
                expireAfterSeconds: index.expireAfterSeconds,
              }),
              ...('hidden' in index && { hidden: index.hidden }),
            }
          : one,
      ),
    });
  }
  if (validator)
    server.state.change(thing, {
      options: {
        ...thing.options,
        validator: copy(validator),
        ...(validationLevel && { validationLevel }),
      },
    });
}

/** @param {any} server @param {any} op */
function listCollections(server, { db, command }) {
  const found = [];
  // By far most ask for one name, or two.
  const { name } = command.filter ?? {};
  const names = typeof name === 'string' ? [name] : name?.$in;
  const some =
    names?.map((/** @type {string} */ one) => server.state.find(`${db}.${one}`)) ??
    [...server.state.names.values()]
      .filter(({ ns }) => dbOf(ns) === db)
      .sort((a, b) => (a.ns < b.ns ? -1 : 1));
  for (const thing of some) {
    if (!thing) continue;
    const info = infoOf(thing);
    if (matches(command.filter ?? {}, info)) found.push(info);
  }
  return { ok: 1, cursor: { id: 0, ns: `${db}.$cmd.listCollections`, firstBatch: found } };
}

/** @param {any} thing */
function infoOf({ ns, kind, uuid, options, viewOn, pipeline }) {
  if (kind === 'view')
    return {
      name: collOf(ns),
      type: 'view',
      options: { viewOn, pipeline },
      info: { readOnly: true },
    };
  return {
    name: collOf(ns),
    type: 'collection',
    options,
    info: { readOnly: false, uuid: new Uuid(uuid) },
    idIndex: ID_INDEX,
  };
}
const ID_INDEX = Object.freeze({ v: 2, key: { _id: 1 }, name: '_id_' });

/** Those that are being built are among them. @param {any} server @param {any} op */
function listIndexes(server, { db, command }) {
  const ns = `${db}.${command.listIndexes}`;
  const thing = server.state.find(ns);
  if (!thing) throw NO_SUCH(ns);
  if (thing.kind === 'view') throw refusal(166, `Namespace ${ns} is a view, not a collection`);
  const built = thing.building
    .flatMap((/** @type {any} */ { indexes }) => indexes)
    .map((/** @type {any} */ one) =>
      command.includeBuildUUIDs || command.includeIndexBuildInfo
        ? { spec: one, buildUUID: 'b', indexBuildInfo: { buildUUID: 'b' } }
        : one,
    );
  const ready = [ID_INDEX, ...thing.indexes].map((one) =>
    command.includeIndexBuildInfo ? { spec: one } : one,
  );
  return { ok: 1, cursor: { id: 0, ns, firstBatch: [...ready, ...built] } };
}

/** @param {any} server @param {any} op @returns {any} */
function* createIndexes(server, op) {
  const { db, command } = op;
  const ns = `${db}.${command.createIndexes}`;
  let thing = server.state.find(ns);
  if (thing?.kind === 'view') throw refusal(166, `Cannot create indexes on a view: ${ns}`);
  thing ??= server.state.create(ns);
  const wanted = command.indexes.map((/** @type {any} */ one) => ({ v: 2, ...copy(one) }));
  for (const index of wanted) checkSame(thing, index);
  const missing = () =>
    wanted.filter(
      (/** @type {any} */ one) =>
        !thing.indexes.some((/** @type {any} */ other) => other.name === one.name),
    );
  const running = thing.building.find((/** @type {any} */ build) =>
    build.indexes.some((/** @type {any} */ one) =>
      wanted.some((/** @type {any} */ other) => other.name === one.name),
    ),
  );
  if (running) yield* waitFor(running);
  const indexes = missing();
  if (indexes.length === 0) return { ok: 1 };
  if (thing.docs.size === 0) {
    server.state.change(thing, { indexes: [...thing.indexes, ...indexes] });
    return { ok: 1 };
  }
  yield* waitFor(beginBuild(server, thing, { indexes, ms: server.nature.buildMs(), who: op.who }));
  return { ok: 1 };
}

/** @param {any} thing @param {any} index */
function checkSame(thing, index) {
  const other = thing.indexes.find((/** @type {any} */ one) => one.name === index.name);
  if (other && JSON.stringify(other.key) !== JSON.stringify(index.key))
    throw refusal(86, `An existing index has the same name as the requested index: ${index.name}`);
}

/** @param {any} build @returns {any} */
function* waitFor(build) {
  if (!build.over) yield { build };
  if (build.error) throw build.error;
}

/**
 * A build goes on, whoever asked for it.
 * @param {any} server
 * @param {any} thing
 * @param {{ indexes: any[], ms: number, who: string }} what
 */
function beginBuild(server, thing, { indexes, ms, who }) {
  const build = {
    thing,
    indexes,
    who,
    over: false,
    error: /** @type {any} */ (null),
    waiting: /** @type {(() => void)[]} */ ([]),
    opid: `build ${server.builds.length}`,
    /** Again after an election, which ends what waits for a lock, but no build. */
    end: () => server.locks.take({ waitsForLock: false }, false, () => tryToEnd(server, build)),
  };
  server.builds.push(build);
  thing.building.push(build);
  server.loop.after(ms, build.end);
  return build;
}

/** @param {any} server @param {any} build */
function tryToEnd(server, build) {
  if (build.over || server.died) return;
  try {
    for (const index of build.indexes) if (index.unique) checkWhole(build.thing, index);
  } catch (error) {
    return endBuild(server, build, error);
  }
  server.state.actor = build.who;
  endBuild(server, build, null);
  server.state.change(build.thing, { indexes: [...build.thing.indexes, ...build.indexes] });
  server.state.actor = 'nobody';
}

/** @param {any} server @param {any} build @param {any} error */
function endBuild(server, build, error) {
  Object.assign(build, { over: true, error });
  build.thing.building = build.thing.building.filter((/** @type {any} */ one) => one !== build);
  server.builds = server.builds.filter((/** @type {any} */ one) => one !== build);
  for (const go of build.waiting) server.loop.after(0, go);
}

/** @param {any} server @param {any} op */
function dropIndexes(server, { db, command }) {
  const ns = `${db}.${command.dropIndexes}`;
  const thing = server.state.find(ns);
  if (!thing) throw NO_SUCH(ns);
  const names = [command.index].flat();
  const isMeant = (/** @type {any} */ { name }) => names.includes('*') || names.includes(name);
  const build = thing.building.find((/** @type {any} */ { indexes }) => indexes.every(isMeant));
  // One that is being built is given up.
  if (build) {
    endBuild(server, build, refusal(276, 'index build aborted: dropIndexes'));
    return { ok: 1 };
  }
  if (thing.building.length > 0)
    throw refusal(12587, 'cannot perform operation: an index build is currently running');
  if (
    !names.includes('*') &&
    !names.every((name) => thing.indexes.some((/** @type {any} */ one) => one.name === name))
  )
    throw refusal(27, 'index not found');
  server.state.change(thing, {
    indexes: thing.indexes.filter((/** @type {any} */ one) => !isMeant(one)),
  });
  return { ok: 1 };
}

module.exports = {
  create,
  drop,
  dropDatabase,
  renameCollection,
  collMod,
  listCollections,
  listIndexes,
  createIndexes,
  dropIndexes,
};
Object.defineProperty(module.exports, 'parts', {
  value: { dropThing, modify, beginBuild },
  enumerable: false,
});
