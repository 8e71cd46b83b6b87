'use strict';

/**
 * Commands of a server that change nothing. A list of what may pass, not of what may not: a command
 * that nobody thought of counts as one that writes.
 */
const READING = new Set([
  'aggregate',
  'buildInfo',
  'collStats',
  'connectionStatus',
  'count',
  'dbStats',
  'distinct',
  'explain',
  'find',
  'getCmdLineOpts',
  'getDiagnosticData',
  'getLog',
  'getMore',
  'getParameter',
  'getShardMap',
  'hello',
  'hostInfo',
  'isMaster',
  'killCursors',
  'listCollections',
  'listDatabases',
  'listIndexes',
  'listShards',
  'ping',
  'replSetGetConfig',
  'replSetGetStatus',
  'rolesInfo',
  'serverStatus',
  'shardingState',
  'top',
  'usersInfo',
  'whatsmyuri',
]);
/** The level of `profile` that asks for it; with any further field it would be set. */
const ASKS_ONLY = -1;
/** @param {string} field */
const isComment = (field) => field === 'comment';
const WRITING_STAGES = Object.freeze(['$out', '$merge']);

/**
 * Whether a command only reads.
 * @param {Record<string, unknown>} spec
 */
function isReading(spec) {
  const [name, ...fields] = Object.keys(spec);
  if (name === 'profile') return spec.profile === ASKS_ONLY && fields.every(isComment);
  if (!READING.has(name)) return false;
  if (name === 'explain') return isReading(/** @type {any} */ (spec.explain) ?? {});
  return name !== 'aggregate' || !writesOut(spec.pipeline);
}

/** @param {unknown} pipeline */
const writesOut = (pipeline) =>
  Array.isArray(pipeline) &&
  pipeline.some((stage) => WRITING_STAGES.some((name) => Object.hasOwn(stage ?? {}, name)));

module.exports = { isReading };
