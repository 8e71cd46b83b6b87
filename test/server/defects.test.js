'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet, startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { defectsOfRelease } = require('../../lib/defects/pure/defects');
const { readDefectReplies } = require('../../lib/defects/read-defects');
const { run: defects } = require('../../lib/commands/defects');

/** @import { Server } from '../support/server' */

const SHORT = { seconds: 1 };
/** Enough at once that some of them conflict. */
const WRITERS = 40;
const ROUNDS = 40;
const DOCUMENTS = 2000;
const NO_ZLIB = ['--networkMessageCompressors', 'snappy'];

/** @param {Server['client']} client @param {string} ticket */
async function look(client, ticket) {
  const answer = await defects(contextOf(client), SHORT);
  const isAffected = defectsOfRelease(String(answer.version)).some((one) => one.ticket === ticket);
  const one = answer.found.find((each) => each.ticket === ticket) ?? null;
  return { answer, isAffected, one };
}

describe('known defects on a real server', () => {
  /** @type {Server} */ let server;
  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());

  it('are all those of its release, each found, absent or undecided, once', async () => {
    const { version, found, absent, undecided, notes, logFrom } = await defects(
      contextOf(server.client),
      SHORT,
    );
    const all = [
      ...found.map(({ ticket }) => ticket),
      ...absent,
      ...undecided.map((one) => one.ticket),
    ];
    assert.deepEqual(
      all.toSorted(),
      defectsOfRelease(String(version))
        .map(({ ticket }) => ticket)
        .toSorted(),
    );
    assert.deepEqual(notes, []);
    const isLinux = process.platform === 'linux';
    const { values } = await readDefectReplies(contextOf(server.client).port);
    assert.equal(values['host.kernelNumber'] !== undefined, isLinux, 'of every release');
    assert.equal(values['server.isWeaklyOrdered'], Number(process.arch === 'arm64'));
    assert.ok(logFrom instanceof Date);
  });

  it('zlib is one where it is accepted, and none where it is not', async () => {
    const { isAffected, one, answer } = await look(server.client, 'SERVER-115508');
    assert.equal(one !== null, isAffected, String(answer));
    await server.restart({ args: NO_ZLIB });
    const without = await look(server.client, 'SERVER-115508');
    assert.equal(without.one, null);
    assert.equal(without.answer.absent.includes('SERVER-115508'), isAffected);
  });

  it('conflicts of findAndModify flood the log of releases with SERVER-74551 alone', async () => {
    const queue = server.db('defects').collection('queue');
    await queue.insertMany(Array.from({ length: DOCUMENTS }, (_, i) => ({ i, state: 'new' })));
    const work = async () => {
      for (let round = 0; round < ROUNDS; round += 1)
        await queue.findOneAndUpdate(
          { state: 'new' },
          { $set: { state: 'done' } },
          { sort: { i: 1 } },
        );
    };
    await Promise.all(Array.from({ length: WRITERS }, work));
    const { isAffected, one, answer } = await look(server.client, 'SERVER-74551');
    assert.equal(one !== null, isAffected, String(answer));
    if (one) assert.match(String(answer), /SERVER-74551[^]*Fixed in/);
  });
});

describe('known defects of a replica set', () => {
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let set;
  before(async () => {
    set = await startReplicaSet();
  });
  after(() => set?.stop());

  it('large insert batches are one of releases with a batch of 500 alone', async () => {
    const db = set.db('defects');
    await db.command({ profile: 0, slowms: 0 });
    await db.collection('batch').insertMany(Array.from({ length: DOCUMENTS }, (_, i) => ({ i })));
    const { isAffected, one, answer } = await look(set.client, 'SERVER-78556');
    assert.equal(one !== null, isAffected, String(answer));
  });
});
