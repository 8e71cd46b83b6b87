'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { MongoClient } = require('mongodb');
const { listCommands } = require('../../lib/shell/registry');
const { tune: tuneOn } = require('../../lib/node');
const { assertNoSecret, callsOf, filesIn, said, ENCODED, PASSWORD } = require('../support/canary');
const { temporaryFolder } = require('../support/cleanup');
const { startServer } = require('../support/server');

const COMMANDS = listCommands();

/**
 * @import { Server } from '../support/server'
 */

/**
 * Every command on a real server that asks for a password: nothing that is said or written has it.
 */

/** Minutes of load and searches tell no more than their beginnings. */
const LIMIT_MS = 240_000;
const TOO_LONG = /^(auto|trial|bench\.steps)$/;

describe('no secret on a real server', function () {
  this.timeout(LIMIT_MS);
  /** @type {Server} */ let server;
  /** @type {{ path: string, remove(): void }} */ let folder;
  /** @type {import('mongodb').MongoClient} */ let client;
  before(async () => {
    server = await startServer({ auth: true });
    folder = temporaryFolder('secrets');
    await server.adminCommand({ createUser: 'joe', pwd: PASSWORD, roles: ['root'] });
    await server.client.db('shop').collection('orders').insertOne({ a: 1 });
    client = await new MongoClient(
      `mongodb://joe:${ENCODED}@127.0.0.1:${server.port}/?directConnection=true`,
    ).connect();
  });
  after(async () => {
    await client?.close();
    await server?.stop();
    folder?.remove();
  });

  it('every example, a change and its undo, and what they leave behind', async () => {
    const [before, { write }] = [process.cwd(), process.stdout];
    let written = '';
    process.chdir(folder.path);
    process.stdout.write = /** @type {any} */ (
      (/** @type {any} */ text) => {
        written += text;
        return true;
      }
    );
    try {
      fs.writeFileSync(
        'servers.txt',
        `mongodb://joe:${ENCODED}@127.0.0.1:${server.port}/?directConnection=true\n`,
        { mode: 0o600 },
      );
      const tune = tuneOn(client, { home: path.join(folder.path, 'home') });
      const calls = [
        ...callsOf(COMMANDS)
          .filter(({ name }) => !TOO_LONG.test(name))
          .map(({ call }) => call.replace('/var/lib/mongodb', server.dbPath)),
        'tune.apply({ evictionTarget: 75 }, { confirm: true })',
        'tune.undo({ confirm: true })',
        'tune.history({ all: true })',
        'tune.trial({ evictionTarget: 75 })',
      ];
      for (const call of calls) assertNoSecret(call, await said(tune, call, { plan: {} }));
    } finally {
      process.stdout.write = write;
      process.chdir(before);
    }
    assertNoSecret('the terminal', written);
    fs.rmSync(path.join(folder.path, 'servers.txt'));
    for (const [file, text] of filesIn(folder.path)) assertNoSecret(file, text);
  });
});
