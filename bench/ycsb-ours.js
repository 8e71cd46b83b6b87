'use strict';

const { startWorker } = require('../lib/bench/workers');
const { SETTINGS } = require('../lib/bench/workloads/kit');

/** One run of our client on the data that YCSB has loaded, told as YCSB tells it: `node ycsb-ours.js URI LETTER THREADS RECORDS SECONDS`. */
async function main() {
  const [uri, letter, threads, records, seconds] = process.argv.slice(2);
  const started = Date.now();
  const worker = startWorker(0, ({ event, ops }) => {
    if (event === 'second') console.error(`${Math.round((Date.now() - started) / 1000)} sec: ${ops} operations;`);
  });
  console.error(`process ${worker.pid}`);
  await worker.ask('connect', { address: { uri, options: {} } });
  await worker.ask('measure', {
    workload: `ycsb-${letter}`, database: 'ycsb', lanes: Number(threads), records: Number(records), worker: 0, workers: 1, insertFrom: Number(records), settings: SETTINGS,
    ratePerSec: null, atMs: started, warmMs: 0, ms: Number(seconds) * 1000,
  });
  await worker.quit();
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
