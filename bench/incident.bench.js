'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { show } = require('./kit');
const { sampleOf } = require('../test/support/incident-data');
const {
  chunkBody,
  chunkData,
  chunkOf,
  bsonOf,
  docOf,
  metadata,
  metricsOf,
} = require('../test/support/ftdc');

/**
 * tune.incident() on a whole day: 200 MB of diagnostic data and a log of 1 GB, both made here, read
 * by a process of its own.
 */
const DAY_SECONDS = 86_400;
const FTDC_BYTES = 200e6;
const LOG_BYTES = 1e9;
const CHUNK_SAMPLES = 300;
/** As many as 6.0 records, so that a chunk is as large as those of a busy server. */
const METRICS = 1850;
const BAR_SECONDS = 30;
const BAR_MB = 400;
const MB = 1e6;
const HOST = 'db1';
const FROM_MS = Date.UTC(2026, 4, 1);

const COMMAND = JSON.stringify(path.join(__dirname, '..', 'lib', 'commands', 'incident'));
const SCRIPT = `(async () => {
  const { run } = require(${COMMAND});
  const started = performance.now();
  const ctx = { signal: new AbortController().signal, progress() {}, home: '/nonexistent' };
  const { events, sources } = await run(ctx, { ftdc: process.argv[1], log: process.argv[2] });
  const read = sources.map(({ read }) => read).join(' samples, ');
  console.log(JSON.stringify({ seconds: (performance.now() - started) / 1000, read,
    events: events.length, kib: process.resourceUsage().maxRSS }));
})()`;

/** Numbers that a packer cannot shorten, the same in each run. */
function* numbers() {
  for (let state = 1; ;) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    yield state >>> 0;
  }
}

/** @param {string} file */
function writeData(file) {
  const random = numbers();
  const counters = Array.from({ length: METRICS }, () => 0);
  const grown = () => {
    for (let i = 0; i < METRICS; i++) counters[i] += random.next().value % 400;
    return Object.fromEntries(counters.map((value, i) => [`m${i}`, value]));
  };
  const samples = Array.from({ length: CHUNK_SAMPLES }, (_, i) =>
    docOf(sampleOf(FROM_MS + i * 1000, i, HOST, { filler: grown() })),
  );
  const [first, ...rest] = samples;
  const deltas = chunkBody(first, rest.map(metricsOf)).subarray(bsonOf(first).length);
  const filler = Object.fromEntries(counters.map((_, i) => [`m${i}`, i]));
  const system = { hostname: HOST, memSizeMB: 8000, numCores: 4 };
  fs.writeFileSync(
    file,
    metadata(FROM_MS, { buildInfo: { version: '6.0.5' }, hostInfo: { system } }),
  );
  for (let i = 0; i < DAY_SECONDS; i += CHUNK_SAMPLES) {
    const atMs = FROM_MS + i * 1000;
    const reference = bsonOf(docOf(sampleOf(atMs, i, HOST, { filler })));
    fs.appendFileSync(file, chunkOf(atMs, chunkData(Buffer.concat([reference, deltas]))));
  }
}

/** @param {string} file */
function writeLog(file) {
  const head = (/** @type {number} */ ms, /** @type {number} */ id, /** @type {string} */ c) =>
    `{"t":{"$date":"${new Date(ms).toISOString().slice(0, -1)}+00:00"},"s":"I",  "c":"${c}",  "id":${id},   "ctx":"conn${id % 900}","msg":"x","attr":`;
  const out = fs.openSync(file, 'w');
  const started = JSON.stringify({ pid: 5, port: 27017, host: HOST, dbPath: '/d' });
  let written = fs.writeSync(out, `${head(FROM_MS, 4615611, 'CONTROL')}${started}}\n`);
  const pad = 'x'.repeat(300);
  // Of ten lines seven are slow operations, two connections, one of no interest.
  const ROUND = 1000;
  while (written < LOG_BYTES) {
    const ms = FROM_MS + Math.floor((written / LOG_BYTES) * DAY_SECONDS * 1000);
    let text = '';
    for (let i = 0; i < ROUND; i++) {
      if (i % 10 < 7)
        text += `${head(ms + i, 51803, 'COMMAND')}{"type":"command","ns":"shop.orders${i % 20}","command":{"find":"orders","filter":{"note":"${pad}"}},"planSummary":"IXSCAN { a: 1 }","docsExamined":${i},"durationMillis":${100 + i}}}\n`;
      else if (i % 10 < 9)
        text += `${head(ms + i, 22943, 'NETWORK')}{"remote":"10.0.0.1:${i}","connectionId":${i},"connectionCount":${50 + (i % 9)}}}\n`;
      else text += `${head(ms + i, 22430, 'WTCHKPT')}{"message":"${pad}"}}\n`;
    }
    written += fs.writeSync(out, text);
  }
  fs.closeSync(out);
}

async function run() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mongosh-tune-bench-'));
  const data = path.join(folder, 'metrics.2026-05-01T00-00-00Z-00000');
  const log = path.join(folder, 'mongod.log');
  try {
    writeData(data);
    writeLog(log);
    const sizes = [data, log].map((file) => fs.statSync(file).size);
    if (sizes[0] < FTDC_BYTES) throw new Error(`only ${sizes[0]} bytes of diagnostic data`);
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', SCRIPT, data, log], {
      encoding: 'utf8',
    });
    if (stdout === '') throw new Error(stderr.slice(0, 500));
    const { seconds, kib, read, events } = JSON.parse(stdout);
    const how = `${(sizes[0] / MB).toFixed(0)} MB of diagnostic data and ${(sizes[1] / MB).toFixed(0)} MB of log: ${read} lines, ${events} events`;
    return [
      show({ name: 'an incident of a day', value: seconds, bar: BAR_SECONDS, unit: 's', how }),
      show({
        name: 'memory for an incident of a day',
        value: (kib * 1024) / MB,
        bar: BAR_MB,
        unit: 'MB',
        how,
      }),
    ];
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

module.exports = { run };
