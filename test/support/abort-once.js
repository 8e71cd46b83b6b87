'use strict';

/**
 * A shell of its own that gives a split up, once: `node abort-once.js URI ID HOME`. It says what
 * became of that.
 */
const { MongoClient } = require('mongodb');
const { contextOf } = require('./context');
const { run: splitAbort } = require('../../lib/commands/split-abort');

// Its own temporary folder would sweep up those of processes that it cannot see.
const [uri, id, home] = process.argv.slice(2);

async function abortOnce() {
  const client = await new MongoClient(uri).connect();
  const said = await splitAbort(contextOf(client, { home }), id, { confirm: true }).then(
    () => 'aborted',
    (error) => error.message,
  );
  process.stdout.write(`${said}\n`);
  await client.close();
}

if (require.main === module) void abortOnce();
