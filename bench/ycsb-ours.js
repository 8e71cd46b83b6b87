'use strict';

const { startWorker } = require('../lib/bench/workers');
const { SETTINGS } = require('../lib/bench/workloads/kit');

/** One run of our client on the data that YCSB has loaded: `node ycsb-ours.js URI LETTER THREADS RECORDS SECONDS`. */
async function main() {
  const [uri, letter, threads, records, seconds] = process.argv.slice(2);
  const worker = startWorker(0, () => {});
  await worker.ask('connect', { address: { uri, options: {} } });
  const started = Date.now();
  const { ops } = await worker.ask('measure', {
    workload: `ycsb-${letter}`, database: 'ycsb', lanes: Number(threads), records: Number(records), worker: 0, workers: 1, insertFrom: Number(records), settings: SETTINGS,
    ratePerSec: null, atMs: started, warmMs: 0, ms: Number(seconds) * 1000,
  });
  await worker.quit();
  console.log(JSON.stringify({ ops: ops.reduce((/** @type {number} */ sum, /** @type {number} */ n) => sum + n, 0), seconds: Number(seconds) }));
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
