'use strict';

const { setTimeout: sleep } = require('node:timers/promises');
const { asReplicaSet } = require('../../support/staged-server');
const { fill } = require('../../support/incident-load');
const { skipIf } = require('../../support/skip');
const { admin, check, useStaged } = require('../../support/staged-incident');
const { whyNotLong } = require('../../support/trial');

// Incidents that need several servers, or much data: minutes.

describe('incidents of sets, staged on real servers', function () {
  this.timeout(300_000);
  const staged = useStaged();
  const { start, loaded, finish } = staged;
  before(function () {
    skipIf(/** @type {any} */ (this), whyNotLong());
  });

  it('an election because the primary was frozen', async () => {
    for (let i = 0; i < 3; i++) await start({ args: ['--replSet', 'staged'] });
    await asReplicaSet(staged.servers, { electionTimeoutMs: 3000 });
    const [primary] = staged.servers;
    await loaded(primary);
    primary.signal('SIGSTOP');
    await sleep(14_000);
    primary.signal('SIGCONT');
    check(await finish(), { first: ['sample-gap'], then: ['election-started', 'stepped-down'] });
  });

  it('a majority that lags since the secondary does not answer', async () => {
    for (let i = 0; i < 3; i++) await start({ args: ['--replSet', 'staged'] });
    await asReplicaSet(staged.servers, { arbiters: 1 });
    const [primary, secondary] = staged.servers;
    await loaded(primary);
    secondary.signal('SIGSTOP');
    await sleep(25_000);
    secondary.signal('SIGCONT');
    check(await finish(), { first: ['sample-gap', 'member-down'], then: ['majority-lag'] });
  });

  it('an unclean start that recovers much from its journal', async () => {
    const server = await start();
    await loaded(server);
    // Without checkpoints all that is written must be recovered.
    await admin(server).command({ setParameter: 1, syncdelay: 0 });
    await fill(server.client(), { documents: 120_000, bytes: 8000 });
    server.signal('SIGKILL');
    await server.ended();
    await server.start();
    check(await finish(), {
      first: ['process-died'],
      then: ['process-unclean-start', 'recovery-long'],
    });
  });
});
