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
  'top',
  'usersInfo',
]);
const WRITING_STAGES = Object.freeze(['$out', '$merge']);

/**
 * Whether a command only reads.
 * @param {Record<string, unknown>} spec
 */
function isReading(spec) {
  const [name] = Object.keys(spec);
  if (!READING.has(name)) return false;
  if (name === 'explain') return isReading(/** @type {any} */ (spec.explain) ?? {});
  return name !== 'aggregate' || !writesOut(spec.pipeline);
}

/** @param {unknown} pipeline */
const writesOut = (pipeline) =>
  Array.isArray(pipeline) &&
  pipeline.some((stage) => WRITING_STAGES.some((name) => Object.hasOwn(stage ?? {}, name)));

module.exports = { isReading };
