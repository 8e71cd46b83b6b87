'use strict';

const BENCHES = [
  'advice',
  'check',
  'collections',
  'fleet',
  'ftdc',
  'load',
  'require',
  'sample',
  'split',
  'split-writers',
  'status',
  'watch',
  'who',
  'ycsb',
];

/**
 * npm run bench [-- name …]: each bench compares with what a user would do instead, in one run;
 * exit code 1 when a bar is missed.
 */
async function main() {
  const asked = process.argv.slice(2);
  const unknown = asked.filter((name) => !BENCHES.includes(name));
  if (unknown.length > 0)
    throw new Error(`no bench "${unknown.join(', ')}"; there are ${BENCHES.join(', ')}`);
  let missed = 0;
  for (const name of asked.length > 0 ? asked : BENCHES) {
    for (const holds of await require(`./${name}.bench.js`).run()) missed += holds ? 0 : 1;
  }
  console.log(missed === 0 ? 'all bars hold' : `${missed} missed`);
  process.exitCode = missed === 0 ? 0 : 1;
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
