'use strict';

/** A shell that is some milliseconds away from the server, as a laptop is from a cloud. */
const assert = require('node:assert/strict');
const { contextOf } = require('../../support/context');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { slowProxy } = require('../../support/slow-proxy');
const { useSet } = require('../../support/split');
const { MongoClient } = require('mongodb');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');

const PATIENCE_MS = 40_000;

describe('a shell that is away', function () {
  this.timeout(120_000);
  let client;
  let server;
  useSet((set) => {
    ({ client, server } = set);
  });

  for (const [verb, roundTripMs] of [
    ['cutover', 10],
    ['cutover', 25],
    ['cutover', 80],
    ['rollback', 40],
  ])
    it(`a ${verb} from ${roundTripMs} ms away, of an idle collection: it is done`, async () => {
      const switched = verb === 'rollback';
      const split = await beginSplit(client, contextOf(client), { switched });
      const proxy = await slowProxy(server.port, roundTripMs / 2);
      const away = await new MongoClient(`mongodb://127.0.0.1:${proxy.port}/`, {
        directConnection: true,
      }).connect();
      const patience = AbortSignal.timeout(PATIENCE_MS);
      const ctx = contextOf(away, { signal: patience });
      const error = await (switched ? splitRollback : splitCutover)(ctx, split.id, ALONE).then(
        () => null,
        (one) => one,
      );
      await away.close();
      await proxy.close();

      assert.equal(error, null);
    });
});
