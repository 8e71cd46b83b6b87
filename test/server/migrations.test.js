'use strict';

const assert = require('node:assert/strict');
const { contextOf } = require('../support/context');
const { startLoad } = require('../support/load');
const { startTwoShards } = require('../support/two-shards');
const { DIRECT } = require('../support/patient');
const { run: advise } = require('../../lib/commands/advise');

/** @import { Server } from '../support/server' */

/** A verdict takes a few seconds; a busy machine some attempts. */
const SECONDS = 4;
const ATTEMPTS = 5;
const LIMIT_MS = 300_000;
/** Twice the smallest cache: clients wait for pages, with moves and without. */
const DOCUMENTS = 120_000;
const BYTES = 4000;
const RANGE = 1000;
/** Between two moves: on a fast disk the ranges must last for all attempts. */
const PAUSE_MS = 100;

describe('a cause: documents that the balancer moves', function () {
  this.timeout(LIMIT_MS);
  /** @type {Awaited<ReturnType<typeof startTwoShards>>} */ let shards;
  let next = 0;
  before(async () => {
    shards = await startTwoShards({ documents: DOCUMENTS, bytes: BYTES, args: [...DIRECT] });
  });
  after(() => shards?.stop());

  const moving = () =>
    startLoad(
      async () => {
        await new Promise((go) => setTimeout(go, PAUSE_MS));
        if (next >= DOCUMENTS) return;
        await shards.move(next, next + RANGE);
        next += RANGE;
      },
      { loops: 1 },
    );
  const any = () => Math.floor(Math.random() * DOCUMENTS);
  /** @param {Server} shard @param {string} name @param {number} atOnce documents */
  const reading = (shard, name, atOnce) =>
    startLoad(
      async () => {
        const some = Array.from({ length: atOnce }, any);
        await shard
          .db('app')
          .collection(name)
          .find(/** @type {any} */ ({ _id: { $in: some } }), { projection: { _id: 0, none: 1 } })
          .toArray();
      },
      { loops: 4 },
    );
  /** @param {Server} shard @param {(kind: string | undefined) => boolean} isWanted */
  async function until(shard, isWanted) {
    const once = () => advise(contextOf(shard.client), { seconds: SECONDS, includeHost: false });
    let advice = await once();
    for (let i = 1; i < ATTEMPTS && !isWanted(advice.cause?.kind); i += 1) advice = await once();
    assert.ok(isWanted(advice.cause?.kind), `${advice}`);
    return advice;
  }

  for (const [side, name, atOnce] of /** @type {const} */ ([
    ['donor', 'moved', 1],
    // What it reads does not count beside what arrives: with many in a call clients wait for pages on any machine.
    ['recipient', 'own', 20],
  ]))
    it(`of the ${side}: none without a move; named while ranges are moved; then gone`, async () => {
      const shard = shards[side];
      const load = reading(shard, name, atOnce);
      try {
        await until(shard, (kind) => kind === undefined);
        const moves = moving();
        const { cause, remedy } = await until(shard, (kind) => kind === 'migrations').finally(() =>
          moves.stop(),
        );
        assert.match(String(cause?.say), side === 'donor' ? /leave this shard/ : /arrive here/);
        assert.match(String(remedy), /activeWindow/);
        await until(shard, (kind) => kind === undefined);
      } finally {
        await load.stop();
      }
    });
});
