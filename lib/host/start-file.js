'use strict';

const fs = require('node:fs/promises');
const path = require('node:path');
const { whereIs } = require('./conf-file');

/**
 * @import { Port } from '../base/context'
 */

/**
 * WiredTiger reads a file in dbPath after what mongod opens it with: it sets values that no option
 * and no log of the server shows (src/third_party/wiredtiger/src/conn/conn_api.c).
 */
const FILE = 'WiredTiger.config';

/** Milliseconds. What is newer was not read; a start is computed from the uptime. */
const START_MS = 10_000;

/**
 * @param {Port} port
 * @param {{ dbPath?: string | null, startedAtMs: number | null }} server
 * @returns {Promise<string | null>} the file, where the server is proven to run here: one elsewhere
 *   may have the same path
 */
async function startFileOf(port, { dbPath = null, startedAtMs }) {
  if (dbPath === null || startedAtMs === null || !path.isAbsolute(dbPath)) return null;
  const file = path.join(dbPath, FILE);
  const stat = await fs.stat(file).catch(() => null);
  if (stat === null || stat.mtimeMs > startedAtMs + START_MS) return null;
  const place = await whereIs(port).catch(() => null);
  return place?.kind === 'here' ? file : null;
}

module.exports = { startFileOf };
