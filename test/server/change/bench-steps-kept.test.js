'use strict';

const assert = require('node:assert/strict');
const { QUICK_STEPS, useServer } = require('../../support/one-server');
const { setExternally, floodLog } = require('../../support/engine');
const { run: benchSteps } = require('../../../lib/commands/bench-steps');
const { run: config } = require('../../../lib/commands/settings');
const { run: history } = require('../../../lib/commands/history');

const AT_START = 'cache_size=256M,eviction=(threads_min=4,threads_max=4),eviction_target=80';
const STEPS = [{ evictionTarget: 75 }, { evictionThreadsMax: 6 }];
/** Two of the steps, two of the way back; then those that are to stay. */
const LAST_CALL = 6;

describe('steps of a benchmark that are to stay, and do not', function () {
  this.timeout(180_000);
  const place = useServer({ config: AT_START });
  const { context } = place;
  const set = async () => {
    const { evictionTarget, evictionThreadsMax } = await config(context());
    return [evictionTarget.value, evictionThreadsMax.value];
  };

  /** @param {ReturnType<typeof context>} ctx @param {(command: any) => any} change of the last call */
  function atLastCall(ctx, change) {
    const { adminCommand } = ctx.port;
    let calls = 0;
    ctx.port.adminCommand = async (command) =>
      adminCommand(command.setParameter && (calls += 1) === LAST_CALL ? change(command) : command);
    return ctx;
  }

  /** @param {ReturnType<typeof context>} ctx @param {string} ended */
  async function assertBack(ctx, ended) {
    const seen = await benchSteps(ctx, STEPS, { ...QUICK_STEPS, keepSteps: true }).catch(
      (error) => error,
    );
    assert.deepEqual(
      [await set(), (await history(context())).at(-1)?.outcome, seen.kept, seen.ended],
      [[80, 4], 'undone', false, ended],
      String(seen.message ?? seen),
    );
    return String(seen);
  }

  it('because the server refuses one: the settings before come back', async () => {
    const refusing = atLastCall(context(), (command) => ({
      ...command,
      wiredTigerEngineRuntimeConfig: 'eviction=(threads_max=99)',
    }));
    const text = await assertBack(refusing, 'failed');
    assert.match(
      text,
      /could not be kept: .*WiredTiger rejected[^]*SETTINGS {5}as before, verified/,
    );
  });

  it('because Ctrl-C comes between two: the settings before come back', async () => {
    const stop = new AbortController();
    const ctx = context({ signal: stop.signal });
    const { adminCommand } = ctx.port;
    let calls = 0;
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      if (command.setParameter && (calls += 1) === LAST_CALL - 1) stop.abort();
      return answer;
    };
    await assertBack(ctx, 'interrupted');
  });

  it('because others set what is not known: nobody says that the settings are as before', async () => {
    const ctx = context();
    const { adminCommand } = ctx.port;
    let calls = 0;
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      if (command.setParameter && (calls += 1) === LAST_CALL - 2) {
        await setExternally(place.server, 'eviction_target=70');
        await setExternally(place.server, 'eviction_dirty_trigger=21');
        await floodLog(place.server);
      }
      return answer;
    };
    const seen = await benchSteps(ctx, STEPS, { ...QUICK_STEPS, keepSteps: true });
    assert.deepEqual([seen.ended, (await set())[0]], ['disturbed', null], String(seen));
    assert.doesNotMatch(String(seen), /as before, verified/);
  });
});
