'use strict';

const { MongoClient } = require('mongodb');
const { tune: tuneOf } = require('../lib/node');

/**
 * One split in a process of its own, so that its processor time and memory can be told:
 * `node split-ours.js URI INTO HOME [METHOD]`, until the target follows. Prints ms.
 */
async function main() {
  const [uri, into, home, method] = process.argv.slice(2);
  const client = await new MongoClient(uri).connect();
  const tune = tuneOf(client, { home });
  const plan = await tune.split.plan({
    source: 'shop',
    collections: 'events',
    target: into,
    seconds: 1,
    ...(method && { method }),
  });
  process.send?.('go');
  const started = performance.now();
  await tune.split.run(plan, { confirm: true });
  process.send?.({ ms: performance.now() - started, id: plan.id, method: plan.moves[0].method });
  await client.close();
  process.disconnect?.();
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
