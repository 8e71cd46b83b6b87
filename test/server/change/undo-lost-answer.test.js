'use strict';

const assert = require('node:assert/strict');
const { MongoNetworkError } = require('mongodb');
const { useServer } = require('../../support/one-server');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { run: config } = require('../../../lib/commands/settings');

const DO = Object.freeze({ confirm: true });

describe('an undo whose call arrives, and whose answer is lost', function () {
  this.timeout(60_000);
  const place = useServer({ config: 'eviction=(threads_min=4,threads_max=4),eviction_target=80' });
  const { context } = place;
  /** @param {number} delayMs after the shell has given it up */
  const losing = (delayMs) => {
    const ctx = context();
    const { adminCommand } = ctx.port;
    /** @type {Promise<unknown> | null} */ let arriving = null;
    ctx.port.adminCommand = async (command) => {
      if (!command.setParameter || arriving !== null) return adminCommand(command);
      arriving = new Promise((resolve) => {
        setTimeout(() => resolve(adminCommand(command)), delayMs);
      });
      if (delayMs === 0) await arriving;
      throw new MongoNetworkError('connection 7 closed');
    };
    return { ctx, arrived: async () => arriving };
  };
  const values = async () => {
    const { evictionTarget, evictionThreadsMax } = await config(context());
    return [evictionTarget.value, evictionThreadsMax.value];
  };

  it('is not said to be of somebody else by the undo of the change before', async () => {
    await apply(context(), { evictionThreadsMax: 8 }, DO);
    await apply(context(), { evictionThreadsMax: 6 }, DO);
    const { ctx, arrived } = losing(300);
    await assert.rejects(undo(ctx, DO), { code: 'TUNE-20006' });
    await arrived();
    await undo(context(), DO);
    assert.deepEqual(await values(), [80, 8]);
    await undo(context(), DO);
    assert.deepEqual(await values(), [80, 4]);
  });

  it('an undo of an undo: the name of the change takes back what it brought back', async () => {
    const { id } = await apply(context(), { evictionThreadsMax: 8 }, DO);
    const { id: back } = await undo(context(), id, DO);
    const { ctx } = losing(0);
    // The server is lost for good: what became of the call is not known.
    const { adminCommand } = ctx.port;
    let isGone = false;
    ctx.port.adminCommand = async (command) => {
      if (isGone) throw new MongoNetworkError('connection 7 closed');
      isGone = command.setParameter !== undefined;
      return adminCommand(command);
    };
    await assert.rejects(undo(ctx, back, DO), { code: 'TUNE-20006' });
    assert.deepEqual(await values(), [80, 8]);
    await undo(context(), id, DO);
    assert.deepEqual(await values(), [80, 4]);
    await assert.rejects(undo(context(), id, DO), { code: 'TUNE-30007' });
  });

  it('an undo of an undo: what it brought back is what the next undo takes back', async () => {
    const { id } = await apply(context(), { evictionTarget: 75, evictionThreadsMax: 8 }, DO);
    const { id: back } = await undo(context(), id, DO);
    const ctx = context();
    const { adminCommand } = ctx.port;
    let calls = 0;
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      if (command.setParameter && (calls += 1) === 2)
        throw new MongoNetworkError('connection 7 closed');
      return answer;
    };
    const error = await undo(ctx, back, DO).catch((one) => one);
    assert.deepEqual(await values(), [75, 8]);
    const done = await undo(context(), DO).catch((one) => one);
    assert.deepEqual(await values(), [80, 4], `${error.message}\n${done.message}`);
  });
});
