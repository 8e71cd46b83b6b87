'use strict';

const fs = require('node:fs');

/**
 * @import { MongoClient } from 'mongodb'
 */

/**
 * What a program and a server hold at a moment. Linux only: /proc.
 * @typedef {Record<string, number>} Gathered
 */

/**
 * What it may grow by in a thousand rounds and be taken for noise: memory is never the same twice.
 * @type {Readonly<Record<string, { unit: string, max: number, scale?: number }>>}
 */
const MEASURES = Object.freeze({
  heapMB: { unit: 'MB', max: 0.5 },
  externalMB: { unit: 'MB', max: 0.2 },
  rssMB: { unit: 'MB', max: 3 },
  files: { unit: '', max: 0.5 },
  listeners: { unit: '', max: 0.1 },
  resources: { unit: '', max: 0.5 },
  serverConnections: { unit: '', max: 0.5 },
  serverCursors: { unit: '', max: 0.5 },
  serverFiles: { unit: '', max: 3 },
  serverSessions: { unit: '', max: 3 },
  temporaryFolders: { unit: '', max: 0.1 },
});

const MB = 1e6;

/**
 * @param {{
 *   client: MongoClient, pid: number, signal: AbortSignal, folder: string
 * }} of `pid`: of the server
 * @returns {Promise<Gathered>}
 */
async function sample({ client, pid, signal, folder }) {
  const { metrics, connections, logicalSessionRecordCache } = await client
    .db('admin')
    .command({ serverStatus: 1 });
  // Twice: what the first one frees may hold what the second one does.
  global.gc?.();
  global.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return {
    heapMB: heapUsed / MB,
    externalMB: external / MB,
    rssMB: rss / MB,
    files: fs.readdirSync('/proc/self/fd').length,
    listeners: listeners(client, signal),
    resources: process.getActiveResourcesInfo().length,
    serverConnections: connections.current,
    serverCursors: Number(metrics.cursor.open.total),
    serverFiles: fs.readdirSync(`/proc/${pid}/fd`).length,
    serverSessions: Number(logicalSessionRecordCache?.activeSessionsCount ?? 0),
    temporaryFolders: fs.readdirSync(folder).length,
  };
}

/** @param {MongoClient} client @param {AbortSignal} signal */
function listeners(client, signal) {
  const of = (/** @type {NodeJS.EventEmitter} */ emitter) =>
    emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0);
  return (
    of(process) +
    of(/** @type {any} */ (client)) +
    of(process.stdout) +
    of(process.stderr) +
    require('node:events').getEventListeners(signal, 'abort').length
  );
}

module.exports = { sample, MEASURES };
