'use strict';

const { chunkOfSamples, metadata } = require('./ftdc');

const CHUNK = 300;

/**
 * A file of diagnostic data: a sample a second of a server that does 100 operations in 2 ms each.
 * @param {{
 *   atMs: number, samples: number, host: string, first?: number,
 *   more?: (i: number) => Record<string, any>
 * }} of `more`: further sections of the i-th sample, of one shape; `first`: the server has run so
 *   many seconds longer
 * @returns {Buffer}
 */
function chunkFile({ atMs, samples, host, first = 0, more = () => ({}) }) {
  const all = Array.from({ length: samples }, (_, i) =>
    sampleOf(atMs + i * 1000, first + i, host, more(i)),
  );
  const chunks = [];
  for (let from = 0; from < samples; from += CHUNK)
    chunks.push(chunkOfSamples(all.slice(from, from + CHUNK)));
  return Buffer.concat([
    metadata(atMs, {
      buildInfo: { version: '6.0.5' },
      hostInfo: { system: { hostname: host, memSizeMB: 8000, numCores: 4 } },
    }),
    ...chunks,
  ]);
}

/** @param {number} ms @param {number} i @param {string} host @param {Record<string, any>} more */
const sampleOf = (ms, i, host, more) => ({
  start: new Date(ms),
  serverStatus: {
    host,
    version: '6.0.5',
    process: 'mongod',
    uptimeMillis: 1_000_000 + i * 1000,
    localTime: new Date(ms),
    connections: { current: 20, totalCreated: 100 + i },
    opLatencies: {
      reads: { latency: i * 100_000, ops: i * 50 },
      writes: { latency: i * 100_000, ops: i * 50 },
    },
    storageEngine: { name: 'wiredTiger' },
    wiredTiger: {
      cache: {
        'maximum bytes configured': 1_000_000,
        'bytes currently in the cache': 500_000,
        'tracked dirty bytes in the cache': 10_000,
      },
    },
    ...more,
  },
  end: new Date(ms + 1),
});

module.exports = { chunkFile, sampleOf };
