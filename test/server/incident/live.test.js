'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { admin, useStaged } = require('../../support/staged-incident');
const { run: incident } = require('../../../lib/commands/incident');
const { run: bundle } = require('../../../lib/commands/incident-bundle');

/** A server writes its first samples to a file after some seconds. */
const SAMPLES_MS = 12_000;

describe('incidents of the server that is asked, on its machine', function () {
  this.timeout(120_000);
  const staged = useStaged();
  const home = temporaryFolder('home');
  after(() => home.remove());

  it('finds diagnostic data and log by itself, and makes a bundle of them', async () => {
    const server = await staged.start();
    await sleep(SAMPLES_MS);
    await admin(server).command({ setParameter: 1, syncdelay: 50 });
    await sleep(1000);
    const ctx = contextOf(server.client(), { home: home.path });
    const answer = await incident(ctx, {});
    const read = (/** @type {string} */ kind) => answer.sources.find((one) => one.kind === kind);
    assert.equal(read('log')?.file, server.log);
    assert.equal(read('ftdc')?.file, server.dbPath);
    assert.ok(Number(read('ftdc')?.read) > 0, String(answer.all()));
    assert.ok(answer.events.some(({ code }) => code === 'parameter-set'));
    assert.equal(answer.verdict, 'nothing-unusual', String(answer.all()));
    const file = path.join(home.path, 'night.json');
    const made = await bundle(ctx, file, { names: true, force: false });
    assert.ok(made.events > 0);
    assert.equal((await incident(ctx, file, {})).verdict, 'nothing-unusual');
  });
});
