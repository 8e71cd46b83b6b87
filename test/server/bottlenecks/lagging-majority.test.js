'use strict';

const assert = require('node:assert/strict');
const { usePatient, warns } = require('../../support/patient');
const { until } = require('../../support/split');
const { run: advise } = require('../../../lib/commands/advise');

const SECONDS = 4;

/** @param {import('../../support/server').Server} server @param {number} votes of the second member */
async function vote(server, votes) {
  const { config } = await server.adminCommand({ replSetGetConfig: 1 });
  config.members[1].votes = votes;
  config.version += 1;
  await server.adminCommand({ replSetReconfig: config });
}

describe('bottleneck: a majority that is gone, with an arbiter in its place', () => {
  // The range of timestamps that are kept tells a lag only after 10 minutes; flow control does
  // after seconds.
  const patient = usePatient({ members: [{}, { priority: 0 }, { arbiterOnly: true }] });
  /** @type {number | undefined} */ let stopped;
  const goOn = () => {
    if (stopped !== undefined) process.kill(stopped, 'SIGCONT');
    stopped = undefined;
  };
  afterEach(goOn);

  it(
    'history, with the lag as its reason, and neither tickets nor cache; it goes when the ' +
      'member is back',
    async () => {
      const { server } = patient;
      const { pid } = await (
        await server.connect(server.uriOf(server.hosts[1]))
      )
        .db('admin')
        .command({ serverStatus: 1 });
      // Else the writers would wait for the member by themselves.
      await server.adminCommand({ setDefaultRWConcern: 1, defaultWriteConcern: { w: 1 } });
      await patient.load('touch');
      stopped = Number(pid);
      process.kill(stopped, 'SIGSTOP');
      const advice = await patient.named('history');
      assert.match(
        advice.because,
        /^The majority of the replica set lags \(.*throttled by flow control/,
      );
      assert.match(advice.explain.join(), /the member that lags or is down/);
      assert.equal(advice.conf, null);
      assert.ok(warns(advice, 'flow-control'));

      goOn();
      await patient.rid('history', 'flow-control');
    },
  );

  it('it goes while the member is still away, once its vote is removed', async () => {
    const { server } = patient;
    const there = await server.connect(server.uriOf(server.hosts[1]));
    const { pid } = await there.db('admin').command({ serverStatus: 1 });
    await server.adminCommand({ setDefaultRWConcern: 1, defaultWriteConcern: { w: 1 } });
    await patient.load('touch');
    stopped = Number(pid);
    process.kill(stopped, 'SIGSTOP');
    // Until then these writers wait for dirty data alone.
    await until(async () => (await server.adminCommand({ serverStatus: 1 })).flowControl.isLagged);
    const { explain } = await patient.named('history');
    assert.match(explain.join(), /remove its vote \(rs\.reconfig with votes: 0, priority: 0\)/);
    assert.match(explain.join(), /rs\.reconfigForPSASet\(<index of the member>, <config>\)/);
    await vote(server, 0);
    await until(async () => {
      const advice = await advise(patient.ctx, { seconds: SECONDS });
      return advice.bottleneck !== 'history' && !warns(advice, 'flow-control');
    });
  });
});
