'use strict';

/**
 * Every command that tune sends to a server. The port refuses all others, so the lists must be
 * complete. They name what may pass, not what may not: a command that no one thought of is not
 * sent.
 */

/** Commands that read, and leave nothing behind. */
const READING = Object.freeze({
  aggregate: 'documents, operations in progress, change streams; never with $out or $merge',
  buildInfo: 'release of the server',
  collStats: 'sizes of one collection',
  connectionStatus: 'who is logged in',
  count: 'number of documents',
  dbStats: 'sizes of one database; free space of the disk',
  find: 'documents of tune, of the configuration, or of a collection that is split',
  getCmdLineOpts: 'start-up options',
  getDefaultRWConcern: 'upgrade: the default write concern of the set',
  getDiagnosticData: 'the newest sample of diagnostic.data',
  getLog: 'the newest lines of the log, which live in memory',
  getMore: 'the next batch of a cursor',
  getParameter: 'parameters of the server',
  getShardMap: 'addresses of the shards',
  hello: 'role of the member, clock of the server',
  hostInfo: 'CPUs, RAM and operating system',
  killCursors: 'closes a cursor of tune',
  listCollections: 'names and options of collections',
  listDatabases: 'names of databases',
  listIndexes: 'indexes of a collection',
  listShards: 'shards of a cluster',
  ping: 'whether a connection works',
  profile: 'who: the level of the profiler, with -1 alone, which only asks',
  replSetGetConfig: 'configuration of the replica set',
  replSetGetStatus: 'state and lag of the members',
  rolesInfo: 'split: roles that lose access',
  serverStatus: 'counters of the server',
  shardingState: 'to which cluster a shard belongs',
  top: 'times of operations by collection',
  usersInfo: 'split: users that lose access',
  whatsmyuri: 'host: from which address this connection comes',
});

/** Sent only by a command that was called with { confirm: true }. */
const WRITING = Object.freeze({
  applyOps: { effect: 'data', note: 'split: several steps as one' },
  collMod: { effect: 'data', note: 'split: validator, TTL and views of the collections' },
  create: { effect: 'data', note: 'split and bench: makes a collection or view' },
  createIndexes: { effect: 'data', note: 'split and bench: builds indexes of the copy' },
  delete: { effect: 'data', note: 'split and bench: deletes documents' },
  drop: { effect: 'data', note: 'split and bench: drops a collection' },
  dropDatabase: { effect: 'data', note: 'bench: drops its own database' },
  dropIndexes: { effect: 'data', note: 'split: drops an index of the copy' },
  findAndModify: { effect: 'data', note: 'split and bench: records of tune' },
  insert: { effect: 'data', note: 'split and bench: writes documents' },
  killOp: { effect: 'operations', note: 'split: ends an operation of tune' },
  killSessions: { effect: 'operations', note: 'split: ends a session of tune' },
  renameCollection: { effect: 'data', note: 'split: the cutover' },
  setParameter: {
    effect: 'settings',
    note: 'apply, undo, trial, auto, bench.steps: wiredTigerEngineRuntimeConfig alone',
  },
  update: { effect: 'data', note: 'split and bench: writes documents' },
});

/** Stages that write: what has one counts as a command of its own, which is confirmed like others. */
const WRITING_STAGES = Object.freeze(['$out', '$merge']);
/** The level of `profile` that asks for it; with any further field it would be set. */
const ASKS_ONLY = -1;
/** @param {string} field */
const isComment = (field) => field === 'comment';
/** The only parameter of the server that is set. */
const SETTABLE = 'wiredTigerEngineRuntimeConfig';

/**
 * Whether a command only reads.
 * @param {Record<string, unknown>} spec
 */
function isReading(spec) {
  const [name = '', ...fields] = Object.keys(spec);
  if (name === 'profile') return spec.profile === ASKS_ONLY && fields.every(isComment);
  return Object.hasOwn(READING, name) && (name !== 'aggregate' || !writesOut(spec.pipeline));
}

/**
 * Whether a pipeline writes; one that is no list of stages counts as writing.
 * @param {unknown} pipeline
 */
const writesOut = (pipeline) =>
  !Array.isArray(pipeline) ||
  pipeline.some((stage) => WRITING_STAGES.some((name) => Object.hasOwn(stage ?? {}, name)));

/**
 * Whether a command may be sent by a call that was confirmed. Of all parameters of the server one is
 * set.
 * @param {Record<string, unknown>} spec
 */
function isKnown(spec) {
  const [name = '', ...fields] = Object.keys(spec);
  if (name === 'setParameter')
    return fields.every((field) => [SETTABLE, 'comment'].includes(field));
  return isReading(spec) || name === 'aggregate' || Object.hasOwn(WRITING, name);
}

module.exports = Object.freeze({ READING, WRITING, isReading, isKnown });
