'use strict';

/** A shell that is stopped between its last look at the server and a call: Ctrl-Z, a closed laptop. */
const assert = require('node:assert/strict');
const { useServer } = require('../../support/one-server');
const { aroundCommand } = require('../../support/around-command');
const { lastString, setExternally } = require('../../support/engine');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');

const DO = Object.freeze({ confirm: true });
const STOPPED_MS = 1200;

describe('a shell that is stopped between its last check and a call', function () {
  this.timeout(60_000);
  const place = useServer({ config: 'eviction=(threads_min=4,threads_max=4),eviction_target=80' });
  /**
   * @param {string} name of a command
   * @param {number} nth after so many of these
   * @param {string} text that another session sets meanwhile
   */
  const stoppedAfter = (name, nth, text) => {
    let seen = 0;
    const isMoment = (/** @type {any} */ command) =>
      command[name] !== undefined && (seen += 1) === nth;
    const after = async () => {
      await setExternally(place.server, text);
      await new Promise((resolve) => {
        setTimeout(resolve, STOPPED_MS);
      });
    };
    return aroundCommand(place.context(), isMoment, { after });
  };

  // The second log, and the hello after it, are the last that are asked for before the call.
  for (const [name, nth] of /** @type {const} */ ([
    ['getLog', 2],
    ['hello', 5],
  ]))
    it(`after the ${name}: what another session sets in that time is not overwritten`, async () => {
      const ctx = stoppedAfter(name, nth, 'eviction_target=70');
      await assert.rejects(apply(ctx, { evictionTarget: 75 }, DO), {
        code: 'TUNE-30006',
        message: /Another session set "eviction_target=70" since this change was planned/,
      });
      assert.equal(await lastString(place.server), 'eviction_target=70');
      await assert.rejects(undo(place.context(), DO), { code: 'TUNE-30007' });
    });

  it('what is set beside it stays, and the change is made and undone', async () => {
    const ctx = stoppedAfter('getLog', 2, 'eviction=(threads_max=6)');
    const done = await apply(ctx, { evictionTarget: 75 }, DO);
    assert.equal(done.verified, true);
    assert.match(done.warnings.join(), /set "eviction=\(threads_max=6\)" during the change; it st/);
    await undo(place.context(), DO);
    assert.equal(await lastString(place.server), 'eviction_target=80');
  });
});
