'use strict';

const { startWorker } = require('../lib/bench/load/workers');
const { SETTINGS } = require('../lib/bench/load/workloads/operations');

/**
 * One run of our client on the data that YCSB has loaded, told as YCSB tells it:
 * `node ycsb-ours.js URI LETTER THREADS RECORDS SECONDS PROCESSES`.
 */
async function main() {
  const [uri, letter, threads, records, seconds, processes] = process.argv.slice(2);
  const started = Date.now();
  /** @type {Map<number, number>} */
  const done = new Map();
  const workers = Array.from({ length: Number(processes) }, (_, number) =>
    startWorker(number, ({ event, ops }) => {
      if (event !== 'second') return;
      done.set(number, ops);
      if (number === 0)
        console.error(
          `${Math.round((Date.now() - started) / 1000)} sec: ` +
            `${[...done.values()].reduce((sum, n) => sum + n)} operations;`,
        );
    }),
  );
  console.error(`processes ${workers.map(({ pid }) => pid).join()}`);
  await Promise.all(
    workers.map((worker) => worker.ask('connect', { address: { uri, options: {} } })),
  );
  await Promise.all(
    workers.map((worker, number) =>
      worker.ask('measure', {
        workload: `ycsb-${letter}`,
        database: 'ycsb',
        lanes: Number(threads) / workers.length,
        records: Number(records),
        worker: number,
        workers: workers.length,
        insertFrom: Number(records),
        settings: SETTINGS,
        ratePerSec: null,
        atMs: Date.now() + 100,
        warmMs: 0,
        ms: Number(seconds) * 1000,
      }),
    ),
  );
  await Promise.all(workers.map((worker) => worker.quit()));
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
