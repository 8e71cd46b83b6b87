'use strict';

const fs = require('node:fs/promises');
const path = require('node:path');
const { whereIs } = require('./conf-file');

/**
 * @import { Stats } from 'node:fs'
 * @import { Port } from '../base/context'
 */

/**
 * WiredTiger reads this file in dbPath after the options of mongod: it sets values that no option
 * and no log of the server shows (src/third_party/wiredtiger/src/conn/conn_api.c).
 */
const FILE = 'WiredTiger.config';

/**
 * mongod did not read a file that is newer than its start by more than this; the start is computed
 * from the uptime.
 */
const START_MS = 10_000;

/**
 * @param {Port} port
 * @param {{ dbPath?: string | null, startedAtMs: number | null }} server
 * @returns {Promise<string | null>} the file, where the server is proven to run here: another
 *   machine may have a file of the same path
 */
async function startFileOf(port, { dbPath = null, startedAtMs }) {
  if (dbPath === null || startedAtMs === null || !path.isAbsolute(dbPath)) return null;
  const file = path.join(dbPath, FILE);
  if (!(await mayHaveSet(file, startedAtMs))) return null;
  const place = await whereIs(port).catch(() => null);
  return place?.kind === 'here' ? file : null;
}

/**
 * Compares the file's birth with the start: other times may be set, and edits change them. A file
 * system that does not report the birth has 0.
 * @param {string} file @param {number} startedAtMs
 * @returns {Promise<boolean>} whether the file existed at the start, and may have set something
 */
async function mayHaveSet(file, startedAtMs) {
  const stat = await fs.stat(file).catch(() => null);
  if (stat === null || isLater(stat.birthtimeMs, startedAtMs)) return false;
  return isLater(stat.mtimeMs, startedAtMs) || !(await setsNothing(file, stat));
}

/** @param {number} atMs @param {number} startedAtMs */
const isLater = (atMs, startedAtMs) => atMs > startedAtMs + START_MS;

/**
 * Whether the file has only comments; one that cannot be read may set something.
 * @param {string} file @param {Stats} stat
 */
async function setsNothing(file, stat) {
  const text = stat.isFile() ? await fs.readFile(file, 'utf8').catch(() => null) : null;
  return text?.split('\n').every((line) => /^\s*(#|$)/.test(line)) ?? false;
}

module.exports = { startFileOf };
