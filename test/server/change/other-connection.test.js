'use strict';

const assert = require('node:assert/strict');
const { useServer } = require('../../support/one-server');
const { contextOf } = require('../../support/context');
const { startServer } = require('../../support/server');
const { setExternally, askedStrings } = require('../../support/engine');
const { run: apply } = require('../../../lib/commands/apply');
const { run: config } = require('../../../lib/commands/settings');
const { run: undo } = require('../../../lib/commands/undo');

const DO = Object.freeze({ confirm: true });
const AT_START = 'cache_size=256M,eviction=(threads_min=4,threads_max=4),eviction_target=80';

describe('a shell that is connected to another server between two calls', function () {
  this.timeout(120_000);
  const place = useServer({ config: AT_START });
  /** @type {any} */ let other;
  before(async () => {
    other = await startServer();
    await setExternally(other, 'eviction_target=60');
  });
  after(() => other?.stop());

  it('what the other one shows is not taken for an external change: the undo needs no force', async () => {
    const ctx = place.context();
    const there = contextOf(other.client, { home: place.home.path });
    const { adminCommand } = ctx.port;
    let [isSet, isChecked, isElsewhere] = [false, false, false];
    ctx.port.adminCommand = async (command) => {
      isElsewhere ||= isSet && command.getParameter !== undefined && isChecked;
      isChecked = isSet && command.serverStatus !== undefined;
      const answer = await (isElsewhere ? there.port.adminCommand(command) : adminCommand(command));
      isSet ||= Boolean(command.setParameter);
      return answer;
    };
    const change = { evictionTarget: 75, evictionThreadsMax: 8 };
    await assert.rejects(apply(ctx, change, DO), { code: 'TUNE-20010' });
    assert.equal(isElsewhere, true);
    assert.deepEqual(await askedStrings(other), ['eviction_target=60']);
    await undo(place.context(), DO);
    const { evictionTarget, evictionThreadsMax } = await config(place.context());
    assert.deepEqual([evictionTarget.value, evictionThreadsMax.value], [80, 4]);
  });
});
