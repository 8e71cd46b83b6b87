'use strict';

const { matches, projected } = require('./query');
const { Time, refusal } = require('./values');
const {
  parts: { checkWritable, docsOf, select, sorted },
} = require('./commands-data');
const {
  parts: { dropThing },
} = require('./commands-catalog');

/**
 * An aggregate, in the forms that the split has: what reads, what writes into another collection,
 * and what is under way.
 */

/** @param {any} server @param {any} op @returns {any} */
function aggregate(server, op) {
  const {
    command: { pipeline, readConcern, maxTimeMS },
  } = op;
  if (pipeline[0]?.$currentOp)
    return answer(stages(underWay(server), pipeline.slice(1), server.now()));
  const last = pipeline[pipeline.length - 1] ?? {};
  if (last.$merge) return merge(server, op);
  if (last.$out) return out(server, op);
  if (readConcern?.level === 'majority' || maxTimeMS) return reading(server, op);
  return answer(read(server, op, pipeline));
}

/** @param {any[]} docs */
const answer = (docs) => ({ ok: 1, cursor: { id: 0, ns: '', firstBatch: docs } });

/** @param {any} server @param {any} op @param {any[]} pipeline @returns {any[]} */
function read(server, { db, command }, pipeline) {
  const docs = docsOf(
    server,
    `${db}.${command.aggregate}`,
    command.readConcern?.level === 'majority',
  );
  const [first] = pipeline;
  const found = first?.$match ? select(docs, first.$match, server.now()) : [...docs.values()];
  return stages(found, first?.$match ? pipeline.slice(1) : pipeline, server.now());
}

/** @param {any[]} docs @param {any[]} pipeline @param {Date} now @returns {any[]} */
function stages(docs, pipeline, now) {
  let made = docs;
  for (const stage of pipeline) {
    const [name] = Object.keys(stage);
    made = STAGES[name](made, stage[name], now);
  }
  return made;
}

/** @type {Record<string, (docs: any[], arg: any, now: Date) => any[]>} */
const STAGES = {
  $match: (docs, filter, now) => docs.filter((doc) => matches(filter, doc, now)),
  $sort: (docs, sort) => sorted(docs, sort),
  $skip: (docs, n) => docs.slice(n),
  $limit: (docs, n) => docs.slice(0, n),
  $project: (docs, spec, now) => docs.map((doc) => projected(spec, doc, now)),
  $count: (docs, name) => (docs.length > 0 ? [{ [name]: docs.length }] : []),
};

/** @param {any} server @param {any} op @returns {any} */
function* reading(server, op) {
  yield* readable(server, op);
  return answer(read(server, op, op.command.pipeline));
}

/** @param {any} server @param {any} op @returns {any} */
function* readable(server, { command: { readConcern } }) {
  const { n = 0 } = readConcern?.afterClusterTime ?? {};
  // After an election there may be less than there was; then the clock of the set goes on by
  // itself.
  while (n > server.state.newest) server.state.log({ op: 'n', ns: '', uuid: '' });
  if (readConcern?.level === 'majority' && n > server.state.majority) yield { n };
}

/**
 * Reads at one moment and writes at later ones: others may overtake it.
 * @param {any} server
 * @param {any} op
 * @returns {any}
 */
function* merge(server, op) {
  const { pipeline } = op.command;
  yield* readable(server, op);
  const found = read(server, op, pipeline.slice(0, -1));
  const { into } = pipeline[pipeline.length - 1].$merge;
  const ns = typeof into === 'string' ? `${op.db}.${into}` : `${into.db}.${into.coll}`;
  if (server.state.find(ns)?.kind === 'view') throw refusal(166, `Cannot merge into a view: ${ns}`);
  for (const [i, doc] of found.entries()) {
    const ms = server.nature.pauseMs(op, i === 0 ? 'read' : 'written');
    if (ms > 0) yield { ms };
    const there = server.state.find(ns);
    checkWritable(there);
    server.state.put(there ?? server.state.create(ns), doc._id, doc);
  }
  return answer([]);
}

/**
 * Fills a collection of its own, which then takes the name.
 * @param {any} server
 * @param {any} op
 * @returns {any}
 */
function* out(server, op) {
  const { pipeline } = op.command;
  yield* readable(server, op);
  const { db, coll } = pipeline[pipeline.length - 1].$out;
  const ns = `${db}.${coll}`;
  const before = shapeOf(server.state.find(ns));
  if (server.state.find(ns)?.kind === 'view') throw refusal(166, `Cannot out into a view: ${ns}`);
  const found = read(server, op, pipeline.slice(0, -1));
  server.temporary += 1;
  const there = server.state.find(ns);
  const made = server.state.create(`${db}.tmp.agg_out.${server.temporary}`, there?.options);
  made.indexes = there?.indexes ?? [];
  made.isTemporary = true;
  for (const doc of found) {
    const ms = server.nature.pauseMs(op, 'written');
    if (ms > 0) yield { ms };
    if (server.state.find(made.ns) !== made) throw refusal(175, 'collection dropped');
    server.state.put(made, doc._id, doc);
  }
  const old = server.state.find(ns);
  if (shapeOf(old) !== before)
    throw refusal(67, 'collection options of target collection changed while processing');
  if (old) dropThing(server, old);
  made.isTemporary = false;
  server.state.rename(made, ns);
  return answer([]);
}

/** @param {any} thing */
const shapeOf = (thing) => JSON.stringify([thing?.kind, thing?.options, thing?.indexes]);

/** @param {any} server @returns {any[]} as $currentOp shows it */
function underWay(server) {
  const ops = [...server.ops.values()]
    .filter(({ command }) => !command.pipeline?.[0]?.$currentOp)
    .map(shown);
  const builds = server.builds.map((/** @type {any} */ { opid, thing, indexes }) => ({
    opid,
    op: 'command',
    desc: 'IndexBuildsCoordinatorMongod',
    ns: thing.ns,
    active: true,
    msg: 'Index Build: scanning collection',
    command: {
      createIndexes: thing.ns.slice(thing.ns.indexOf('.') + 1),
      indexes,
      $db: thing.ns.slice(0, thing.ns.indexOf('.')),
    },
    waitingForLock: false,
  }));
  const idle = [...server.transactions.values()]
    .filter(({ id, open }) => open && !ops.some(({ lsid }) => lsid?.id === id))
    .map(({ id }) => ({
      type: 'idleSession',
      active: false,
      lsid: { id },
      transaction: {},
      locks: { Global: 'w', Database: 'w', Collection: 'w' },
      waitingForLock: false,
    }));
  return [...ops, ...builds, ...idle];
}

/** @type {Record<string, string>} */
const KINDS = { insert: 'insert', update: 'update', delete: 'remove', find: 'query' };

/** @param {any} op */
function shown({ id, db, name, command, waitsForLock, session, who }) {
  const collection = typeof command[name] === 'string' ? command[name] : '$cmd';
  return {
    opid: id,
    type: 'op',
    op: KINDS[name] ?? 'command',
    ns: `${db}.${collection}`,
    active: true,
    command: { ...command, $db: db },
    waitingForLock: waitsForLock,
    locks: waitsForLock ? { Global: 'w' } : {},
    ...(session && { lsid: { id: session.id } }),
    appName: who,
  };
}

module.exports = { aggregate, Time };
