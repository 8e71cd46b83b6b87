'use strict';

const assert = require('node:assert/strict');
const os = require('node:os');
const { usePatient, warns, DIRECT } = require('../../support/patient');
const { skipIf } = require('../../support/skip');
const { run: advise } = require('../../../lib/commands/advise');
const { run: status } = require('../../../lib/commands/status');

// Above 70% of the CPUs there is no room for more threads, which is what the advice then
// says. A little below, it may say either.
const ROOM_RATIO = 0.65;
// How far the waiting falls is decided by the device: to 0.4 of what it was on a fast one, to 0.64
// on the slowest met.
const EASED_RATIO = 0.8;

/**
 * @returns {{ busy: number, all: number }} ms since the machine started, of all CPUs together
 */
function processorMs() {
  const times = os.cpus().map((cpu) => Object.values(cpu.times).reduce((sum, ms) => sum + ms, 0));
  const idle = os.cpus().reduce((sum, cpu) => sum + cpu.times.idle, 0);
  const all = times.reduce((sum, ms) => sum + ms, 0);
  return { busy: all - idle, all };
}

describe('bottleneck: one eviction thread that waits for a device with room', () => {
  const patient = usePatient({ args: DIRECT });

  it(
    'eviction-threads; back to the number that mongod starts, and the application threads need not evict ' +
      'any more',
    async function () {
      await patient.set('eviction=(threads_min=1,threads_max=1)');
      await patient.load('few');
      const before = await patient.waiting();
      const from = processorMs();
      const advice = await advise(patient.ctx, { seconds: 5 });
      const to = processorMs();
      const busy = (to.busy - from.busy) / (to.all - from.all);
      if (advice.bottleneck !== 'eviction-threads') {
        assert.match(
          `${advice.findings.find(({ rule }) => rule === 'eviction-threads-busy')?.message}`,
          /1 of 1 eviction thread is active/,
        );
        skipIf(
          this,
          busy > ROOM_RATIO
            ? `${(busy * 100).toFixed(0)}% of the CPUs are busy with this and other work, ` +
                `so the answer is ${advice.bottleneck}: no room for more threads`
            : null,
        );
      }
      assert.equal(advice.bottleneck, 'eviction-threads', `${advice}`);
      assert.ok(warns(advice, 'eviction-threads-busy'), `${advice}`);
      assert.match(advice.because, /^The only eviction thread is active/);
      assert.deepEqual(advice.change, { evictionThreadsMin: 4, evictionThreadsMax: 4 });

      await patient.take(advice);
      await status(patient.ctx, { seconds: 2 });
      const well = await advise(patient.ctx, { seconds: 5 });
      // What the clients wait for now may be the next thing to change: the pages themselves.
      assert.notEqual(well.bottleneck, 'eviction-threads', `${well}`);
      assert.ok(!warns(well, 'eviction-threads-busy'), `${well}`);
      const after = Number((await status(patient.ctx, { seconds: 3 })).clients.waitingThreads);
      assert.ok(
        after < before * EASED_RATIO,
        `${before} → ${after} application threads wait for the cache`,
      );
    },
  );
});
