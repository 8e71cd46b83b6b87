'use strict';

/**
 * A mongod of its own on a disk that may be limited, with the data of YCSB in it, and YCSB's loads
 * by our client. The data is made once for each number of records and copied.
 */

const crypto = require('node:crypto');
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { MongoClient } = require('mongodb');
const { startWorker } = require('../lib/bench/load/workers');
const { SETTINGS } = require('../lib/bench/load/workloads/operations');
const { YCSB } = require('../lib/bench/load/workloads/ycsb');
const { mongod } = require('../test/support/server');
const { endWithProcess, temporaryFolder } = require('../test/support/cleanup');
const { slowDisk } = require('../test/support/slow-disk');

/** @import { Limits } from '../test/support/throttle' */

const DATABASE = 'tune_bench';
const BATCH = 1000;
const FIELD_BYTES = 100;
const POOL = crypto.randomBytes(2 ** 20);
/** Pages come off the disk, and not out of the page cache. */
const DIRECT = 'direct_io=[data],buffer_alignment=4K';
const ALIVE_MS = 120_000;

/** Random bytes that do not compress, without the cost of making them. */
const bytes = (/** @type {number} */ n) => {
  const from = Math.floor(Math.random() * (POOL.length - n));
  return POOL.subarray(from, from + n);
};

/** @returns {Promise<number>} */
async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {net.AddressInfo} */ (server.address());
  server.close();
  return port;
}

/**
 * @param {string} dbPath
 * @param {{ cacheSizeGB: number, direct?: boolean, engine?: string, args?: readonly string[] }} how
 *   `direct`: not through the page cache
 */
async function startMongod(dbPath, { cacheSizeGB, direct = true, engine = '', args = [] }) {
  const binary = await mongod();
  const port = await freePort();
  // mongod's own option takes no less than a quarter of a GiB.
  const size = `cache_size=${Math.round(cacheSizeGB * 1024)}M`;
  const config = [size, direct ? DIRECT : '', engine].filter(Boolean).join(',');
  const child = spawn(
    binary.path,
    [
      ...['--dbpath', dbPath, '--port', `${port}`, '--bind_ip', '127.0.0.1'],
      ...['--wiredTigerEngineConfigString', config],
      ...['--logpath', path.join(dbPath, 'mongod.log'), '--quiet'],
      ...args,
    ],
    { stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  const forget = endWithProcess(() => child.kill('SIGKILL'));
  const uri = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: ALIVE_MS });
  await Promise.race([
    client.connect(),
    ended.then(() => Promise.reject(new Error(`mongod ended, see ${dbPath}/mongod.log`))),
  ]);
  return {
    uri,
    client,
    pid: Number(child.pid),
    /** Nothing that it wrote is wanted any more. */
    async stop() {
      await client.close();
      child.kill('SIGKILL');
      await ended;
      forget();
    },
  };
}

/** @type {Map<number, string>} */
const made = new Map();

/** @param {number} records @returns {Promise<string>} the folder of a mongod that holds them */
async function template(records) {
  const known = made.get(records);
  if (known !== undefined) return known;
  const kept = process.env.ADVICE_DATA && path.join(process.env.ADVICE_DATA, `${records}`);
  if (kept && fs.existsSync(kept)) return kept;
  const folder = temporaryFolder('advice-data').path;
  const server = await startMongod(folder, { cacheSizeGB: 2 });
  await fill(server.client, records);
  await server.client.db('admin').command({ fsync: 1, lock: true });
  const copy = kept || temporaryFolder('advice-copy').path;
  fs.cpSync(folder, copy, { recursive: true });
  fs.rmSync(path.join(copy, 'mongod.lock'), { force: true });
  await server.stop();
  fs.rmSync(folder, { recursive: true, force: true });
  made.set(records, copy);
  return copy;
}

/** @param {MongoClient} client @param {number} records */
async function fill(client, records) {
  const [workload] = YCSB;
  const collection = client.db(DATABASE).collection(workload.collection);
  for (let from = 0; from < records; from += BATCH)
    await collection.insertMany(
      Array.from(
        { length: Math.min(BATCH, records - from) },
        (_, i) =>
          /** @type {any} */ (
            workload.document(from + i, /** @type {any} */ ({ bytes: () => bytes(FIELD_BYTES) }))
          ),
      ),
      { ordered: false, writeConcern: { w: 1, j: false } },
    );
}

/**
 * @param {{
 *   records: number, cacheSizeGB: number, limits?: Limits | null, direct?: boolean,
 *   engine?: string, args?: readonly string[]
 * }} how `limits`: null is the disk of this machine as it is
 */
async function startCell({ records, limits = null, ...how }) {
  const from = await template(records);
  const disk = limits === null ? null : slowDisk({ sizeMB: DISK_MB });
  const folder = disk === null ? temporaryFolder('advice') : { path: disk.path, remove() {} };
  const dbPath = path.join(folder.path, 'db');
  fs.cpSync(from, dbPath, { recursive: true });
  const server = await startMongod(dbPath, how);
  if (disk !== null) disk.limit(/** @type {Limits} */ (limits), server.pid);
  return {
    ...server,
    disk,
    async stop() {
      disk?.release();
      await server.stop();
      disk?.remove();
      folder.remove();
      fs.rmSync(dbPath, { recursive: true, force: true });
    },
  };
}

const DISK_MB = 4096;

/**
 * One of YCSB's workloads without an end, by a process of its own.
 * @param {string} uri
 * @param {{ letter: string, records: number, threads: number, keys?: 'zipfian' | 'uniform' }} what
 */
async function startYcsb(uri, { letter, records, threads, keys = 'zipfian' }) {
  /** @type {{ atMs: number, ops: number }[]} */
  const seconds = [];
  const worker = startWorker(0, ({ event, ops }) => {
    if (event === 'second') seconds.push({ atMs: Date.now(), ops });
  });
  await worker.ask('connect', { address: { uri, options: {} } });
  const over = worker
    .ask('measure', {
      workload: `ycsb-${letter}`,
      database: DATABASE,
      lanes: threads,
      records,
      worker: 0,
      workers: 1,
      insertFrom: records + (Date.now() % 1e9),
      settings: { ...SETTINGS, keys },
      ratePerSec: null,
      atMs: Date.now() + 100,
      warmMs: 0,
      ms: 24 * 3600 * 1000,
    })
    .catch(() => {});
  return {
    seconds,
    async stop() {
      await worker.kill();
      await over;
    },
  };
}

module.exports = { startCell, startYcsb };
