'use strict';

const assert = require('node:assert/strict');
const { run: apply } = require('../../../lib/commands/apply');
const { run: benchSteps } = require('../../../lib/commands/bench-steps');
const { run: settings } = require('../../../lib/commands/settings');
const { run: undo } = require('../../../lib/commands/undo');
const { setExternally } = require('../../support/engine');
const { QUICK_STEPS, useServer } = require('../../support/one-server');

/**
 * @import { Context } from '../../../lib/base/context'
 */

const DO = Object.freeze({ confirm: true });
const THERE_AND_BACK = [12, 30, 12].map((percent) => `eviction_dirty_trigger=${percent}`);

describe('another session sets a string a second time, after another one', function () {
  this.timeout(240_000);
  const place = useServer();
  beforeEach(async () => {
    await setExternally(place.server, 'eviction_dirty_trigger=20');
    await setExternally(place.server, 'eviction_dirty_target=5');
  });

  async function active() {
    const { evictionDirtyTarget, evictionDirtyTrigger } = await settings(place.context());
    return [evictionDirtyTarget.set, evictionDirtyTrigger.set];
  }

  async function setThem() {
    for (const config of THERE_AND_BACK) await setExternally(place.server, config);
  }

  /** @returns {Context} they set it after the plan, before the call */
  function beforeTheCall() {
    const ctx = place.context();
    const { adminCommand } = ctx.port;
    let reads = 0;
    ctx.port.adminCommand = async (spec) => {
      if (spec.getParameter && spec.wiredTigerEngineRuntimeConfig && ++reads === 2) await setThem();
      return adminCommand(spec);
    };
    return ctx;
  }

  it('a change is refused that contradicts what is in effect', async () => {
    await assert.rejects(apply(beforeTheCall(), { evictionDirtyTarget: 15 }, DO), {
      code: 'TUNE-30002',
    });
    assert.deepEqual(await active(), [5, 12]);
  });

  it('so is an undo', async () => {
    await setExternally(place.server, 'eviction_dirty_target=15');
    const { id } = await apply(place.context(), { evictionDirtyTarget: 4 }, DO);
    await assert.rejects(undo(beforeTheCall(), String(id), DO), { code: 'TUNE-30002' });
    assert.deepEqual(await active(), [4, 12]);
  });

  it('so is the step of a sequence', async () => {
    const ctx = place.context();
    const { adminCommand } = ctx.port;
    let sets = 0;
    ctx.port.adminCommand = async (spec) => {
      const answer = await adminCommand(spec);
      if (spec.setParameter && ++sets === 1) await setThem();
      return answer;
    };
    const steps = [{ evictionThreadsMax: 6 }, { evictionDirtyTarget: 15 }];
    await benchSteps(ctx, steps, { ...QUICK_STEPS, keepSteps: true }).catch((error) => error);
    assert.deepEqual(await active(), [5, 12]);
  });
});
