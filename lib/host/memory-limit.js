'use strict';

const { limitOf } = require('./areas/memory');
const { whereIs } = require('./conf-file');
const { filesUnder } = require('./root-files');
const { makeSnapshot } = require('./snapshot');

/**
 * @import { Port } from '../base/context'
 */

/**
 * The limit of mongod's control group, such as MemoryMax of its systemd unit. mongod asks its
 * container alone, so a limit of a group within it is unknown to it, and to hostInfo.
 * @param {Port} port
 * @param {number | null} pid as the server reports it
 * @returns {Promise<number | null>} bytes; null: none, or the server is not proven to run here
 */
async function memoryLimitOf(port, pid) {
  if (process.platform !== 'linux' || pid === null) return null;
  const snapshot = makeSnapshot(filesUnder(['/'], {}), Date.now());
  const subject = { pid, dbPath: null, port: null, interface: null };
  // Most have none: then the server is not asked where it runs.
  const found = await limitOf(snapshot, subject).catch(() => null);
  if (found === null) return null;
  const place = await whereIs(port).catch(() => null);
  return place?.kind === 'here' ? found.limit : null;
}

module.exports = { memoryLimitOf };
