'use strict';

const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { fork } = require('node:child_process');
const { once } = require('node:events');
const { startReplicaSet } = require('../test/support/server');
const { temporaryFolder } = require('../test/support/cleanup');
const { cpuMs } = require('./kit');

/** What the benches of a split have in common. */
const CACHE_GB = 1;
const OPLOG_MB = 16_384;
const PER_INSERT = 5_000;
const POLL_EVERY_MS = 250;
const INDEXES = Object.freeze([
  { key: { customer: 1 }, name: 'customer' },
  { key: { at: 1 }, name: 'at' },
  { key: { sku: 1, n: 1 }, name: 'sku_n' },
]);

/**
 * @param {{ documents: number, padBytes: number, indexes?: readonly any[], members?: number }}
 *   wanted
 * @returns {Promise<Awaited<ReturnType<typeof startReplicaSet>>>} with shop.events, on one member
 *   unless told
 */
async function filled({ documents, padBytes, indexes = INDEXES, members = 1 }) {
  const server = await startReplicaSet({ members, cacheSizeGB: CACHE_GB });
  // By default it is 5% of what is free on the disk, which is little on a small one.
  await server.adminCommand({ replSetResizeOplog: 1, size: OPLOG_MB });
  const events = server.db('shop').collection('events');
  const pad = crypto.randomBytes(padBytes).toString('base64').slice(0, padBytes);
  for (let first = 0; first < documents; first += PER_INSERT) {
    await events.insertMany(
      Array.from({ length: Math.min(PER_INSERT, documents - first) }, (_, i) =>
        one(first + i, pad),
      ),
      { ordered: false, writeConcern: { w: 1 } },
    );
  }
  if (indexes.length > 0) await events.createIndexes([...indexes]);
  return server;
}

/** @param {number} n @param {string} pad */
const one = (n, pad) => ({
  _id: n,
  n,
  customer: (n * 7919) % 100_003,
  at: new Date(1.7e12 + n * 977),
  sku: `sku-${(n * 31) % 50_021}`,
  pad,
});

/**
 * A whole run of ours, in a process of its own.
 * @param {string} uri
 * @param {string} into
 * @param {string} [method] of copying; the plan's own choice otherwise
 * @returns {Promise<{ ms: number, id: string, method: string, cores: number, peakMB: number }>}
 *   `cores`: processor time of the client for a second; `peakMB`: its memory, with Node.js and the
 *   driver
 */
async function splitOf(uri, into, method) {
  const home = temporaryFolder('bench-split');
  const child = fork(path.join(__dirname, 'split-ours.js'), [
    uri,
    into,
    home.path,
    ...(method ? [method] : []),
  ]);
  const seen = { startMs: 0, cpu: 0, peakMB: 0 };
  const sample = setInterval(() => {
    if (!child.pid || !fs.existsSync(`/proc/${child.pid}/status`)) return;
    seen.cpu = Math.max(seen.cpu, cpuMs(child.pid));
    seen.peakMB =
      Number(/VmHWM:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) /
        1024 || seen.peakMB;
  }, POLL_EVERY_MS);
  try {
    const [first] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    if (first !== 'go') throw new Error('the split ended before it began');
    seen.startMs = cpuMs(Number(child.pid));
    const [reported] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    if (!reported?.ms) throw new Error('the split ended before it was through');
    return { ...reported, cores: (seen.cpu - seen.startMs) / reported.ms, peakMB: seen.peakMB };
  } finally {
    clearInterval(sample);
    home.remove();
  }
}

module.exports = { filled, splitOf };
