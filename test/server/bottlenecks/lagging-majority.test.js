'use strict';

const assert = require('node:assert/strict');
const { usePatient, warns } = require('../../support/patient');

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
});
