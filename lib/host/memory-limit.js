'use strict';

const { limitOf } = require('./areas/memory');
const { whereIs } = require('./conf-file');
const { filesUnder } = require('./root-files');
const { makeSnapshot } = require('./snapshot');

/**
 * @import { Port } from '../base/context'
 */

/**
 * Reads the limit of mongod's control group, such as MemoryMax of its systemd unit. mongod only
 * asks its container, so neither it nor hostInfo knows the limit of a group inside.
 * @param {Port} port
 * @param {number | null} pid the pid that the server reports
 * @returns {Promise<number | null>} bytes; null: no limit, or the server is not proven to run here
 */
async function memoryLimitOf(port, pid) {
  if (process.platform !== 'linux' || pid === null) return null;
  const snapshot = makeSnapshot(filesUnder(['/'], {}), Date.now());
  const subject = { pid, dbPath: null, port: null, interface: null };
  // Most groups have no limit: then the server need not be asked where it runs.
  const found = await limitOf(snapshot, subject).catch(() => null);
  if (found === null) return null;
  const place = await whereIs(port).catch(() => null);
  return place?.kind === 'here' ? found.limit : null;
}

module.exports = { memoryLimitOf };
