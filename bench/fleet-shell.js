'use strict';
// For mongosh --nodb --file: what fleet-client.js does, from a shell. mongosh waits for
// tune.fleet() by itself.
(() => {
  const { load, print, process } = globalThis;
  const { readFileSync } = require('fs');
  load(process.env.TUNE_BENCH_INDEX);
  const { seconds, rows, states, statuses } = globalThis.tune.fleet(
    JSON.parse(readFileSync(process.env.TUNE_BENCH_LIST, 'utf8')),
  );
  print(
    JSON.stringify({
      seconds,
      rows: rows.length,
      states,
      statuses,
      ...require(process.env.TUNE_BENCH_KIT).resources(),
    }),
  );
})();
