'use strict';

const assert = require('node:assert/strict');
const { useServer } = require('../../support/one-server');
const { setExternally } = require('../../support/engine');
const { run: apply } = require('../../../lib/commands/apply');
const { run: config } = require('../../../lib/commands/settings');

describe('a cache that another session sets while a change is made', function () {
  this.timeout(60_000);
  const place = useServer();

  it('does not leave a trigger in bytes below its target', async () => {
    const ctx = place.context();
    const { adminCommand } = ctx.port;
    let calls = 0;
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      if (command.setParameter && (calls += 1) === 1)
        await setExternally(place.server, 'cache_size=1024M');
      return answer;
    };
    // 40 MB: 15.6% of 256 MB, and 3.9% of 1 GB.
    const done = await apply(
      ctx,
      { evictionTarget: 75, evictionDirtyTrigger: 40 * 2 ** 20 },
      { confirm: true },
    ).catch((error) => error);
    const { evictionDirtyTarget, evictionDirtyTrigger } = await config(ctx);
    assert.ok(
      Number(evictionDirtyTarget.value) < Number(evictionDirtyTrigger.value) ||
        done.verified === false,
      `target ${evictionDirtyTarget.value}, trigger ${evictionDirtyTrigger.value}; ${done.message ?? done}`,
    );
    assert.equal(done.code, 'TUNE-30002');
  });
});
