'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet } = require('../support/server');
const { contextOf } = require('../support/context');
const { run: advise } = require('../../lib/commands/advise');

/**
 * @import { Server } from '../support/server'
 */

const COLLECTIONS = 340;
/** More than a thousand: each has a file for itself, for `_id` and for one more index. */
const FILES = 3 * COLLECTIONS;
const ATTEMPTS = 30;
const LIMIT_MS = 120_000;

/** @param {Server} server */
async function finding(server) {
  const { findings } = await advise(contextOf(server.client), { seconds: 1, includeHost: false });
  return findings.find(({ rule }) => rule === 'dropped-files');
}

describe('files of dropped collections', function () {
  this.timeout(LIMIT_MS);
  /** @type {Server} */
  let server;
  before(async () => {
    server = await startReplicaSet({ members: 1 });
  });
  after(() => server.stop());

  it('are counted while the snapshot history needs them, and gone after it', async () => {
    const temporary = server.db('temporary');
    for (let i = 0; i < COLLECTIONS; i += 1)
      await temporary.collection(`c${i}`).createIndex({ n: 1 });
    assert.equal((await finding(server)).code, 'fine');
    await temporary.dropDatabase();
    const pending = await finding(server);
    assert.equal(pending.code, 'noted', `${pending.message}`);
    assert.ok(pending.values.files >= FILES, `${pending.message}`);

    await server.adminCommand({ setParameter: 1, minSnapshotHistoryWindowInSeconds: 0 });
    let later = pending;
    for (let i = 0; i < ATTEMPTS && later.values.files > 0; i += 1) {
      await server.db('other').collection('any').insertOne({});
      await server.adminCommand({ fsync: 1 });
      later = await finding(server);
    }
    assert.equal(later.code, 'fine', `${later.message}`);
    assert.equal(later.values.files, 0, `${later.message}`);
  });
});
