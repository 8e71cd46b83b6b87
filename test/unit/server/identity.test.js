'use strict';

const assert = require('node:assert/strict');
const { setTimeout: sleep } = require('node:timers/promises');
const { readServerRun } = require('../../../lib/server/identity');
const { sendsOf, entriesOf } = require('../../../lib/change/pure/journal');
const { makeTimeline } = require('../../../lib/change/pure/timeline');

const SLOW_MS = 60;

describe('server/identity', () => {
  /**
   * A server whose clock is that much ahead, which is slow to begin or to answer.
   * @param {{ ahead?: number, before?: number, after?: number, status?: object }} options
   */
  const portOf = ({ ahead = 0, before = 0, after = 0, status = {} }) => ({
    command: async () => ({}),
    adminCommand: async (/** @type {any} */ command) => {
      if (command.hello) return { topologyVersion: { processId: 'p1' } };
      await sleep(before);
      const answer = {
        host: 'h:1',
        version: '6.0.5',
        pid: 7,
        localTime: new Date(Date.now() + ahead),
        uptimeMillis: 1000,
        ...status,
      };
      await sleep(after);
      return answer;
    },
  });

  it('tells the run', async () => {
    const { host, version, pid, processId, startedAtMs } = await readServerRun(portOf({}));
    assert.deepEqual([host, version, pid, processId], ['h:1', '6.0.5', 7, 'p1']);
    assert.ok(Math.abs(Date.now() - Number(startedAtMs) - 1000) < 500);
  });

  for (const [name, delay] of /** @type {[string, object][]} */ ([
    ['fast', {}],
    ['slow to begin', { before: SLOW_MS }],
    ['slow to answer', { after: SLOW_MS }],
  ])) {
    for (const ahead of [-5000, 0, 5000]) {
      it(
        `the clock of a server that is ${name} and ${ahead} ms ahead is never computed later ` +
          'than it is',
        async () => {
          const { clockMs } = await readServerRun(portOf({ ahead, ...delay }));
          assert.ok(
            Number(clockMs) <= ahead + 1 && Number(clockMs) > ahead - 5 * SLOW_MS,
            `${clockMs}`,
          );
        },
      );
    }
  }

  it('so that what we send next is known as ours in the log, however slow the server was', async () => {
    const { clockMs, ...run } = await readServerRun(portOf({ before: SLOW_MS }));
    const atMs = Date.now() + Number(clockMs);
    const logged = { atMs: Date.now(), config: 'cache_size=512M', ok: true };
    const lines = /** @type {any[]} */ ([
      { kind: 'intent', id: 'a', run, atMs, commands: ['cache_size=512M'], was: '' },
      { kind: 'sent', id: 'a', atMs, command: 'cache_size=512M', was: '' },
    ]);
    const { events } = makeTimeline(
      { sets: [logged], logFromMs: 0, logWhole: true, lastString: 'cache_size=512M' },
      sendsOf(entriesOf(lines), run),
    );
    assert.deepEqual(
      events.map((event) => event.kind === 'set' && event.id),
      ['a'],
    );
  });

  it('a server that tells no clock', async () => {
    const { clockMs, startedAtMs } = await readServerRun(
      portOf({ status: { localTime: undefined } }),
    );
    assert.deepEqual([clockMs, startedAtMs], [null, null]);
  });
});
