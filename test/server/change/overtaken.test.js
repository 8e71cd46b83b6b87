'use strict';

const assert = require('node:assert/strict');
const { useServer } = require('../../support/one-server');
const { setExternally } = require('../../support/engine');
const { beforeCall } = require('../../support/beside');
const { run: apply } = require('../../../lib/commands/apply');
const { run: config } = require('../../../lib/commands/settings');
const { run: undo } = require('../../../lib/commands/undo');

const DO = Object.freeze({ confirm: true });

describe('what another session set in the milliseconds before a call', function () {
  this.timeout(60_000);
  const place = useServer({ config: 'eviction_target=80' });

  /** @param {string} text as it was printed */
  const type = (text) =>
    new Function('tune', `return ${text}`)({
      undo: (/** @type {any[]} */ ...args) => undo(place.context(), ...args),
    });
  const setBefore = () =>
    beforeCall(
      place.context(),
      (command) => Boolean(command.setParameter),
      () => setExternally(place.server, 'eviction_target=70'),
    );

  for (const options of [DO, { ...DO, force: true }])
    it(`the undo that is printed is not refused, ${JSON.stringify(options)}`, async () => {
      const done = await apply(setBefore(), { evictionTarget: 75 }, options);
      assert.match(String(done.undo), /^tune\.undo\("[^"]+", \{ confirm: true, force: true \}\)$/);
      assert.ok(String(done).replace(/\s+/g, ' ').includes(String(done.undo)), String(done));
      await assert.rejects(undo(place.context(), DO), { code: 'TUNE-30006' });
      await type(String(done.undo));
      assert.equal((await config(place.context())).evictionTarget.value, 80);
    });

  it('of another setting: it needs no force', async () => {
    const done = await apply(
      beforeCall(
        place.context(),
        (command) => Boolean(command.setParameter),
        () => setExternally(place.server, 'eviction=(threads_min=4,threads_max=6)'),
      ),
      { evictionTarget: 75 },
      DO,
    );
    assert.doesNotMatch(String(done.undo), /force/);
    await type(String(done.undo));
  });
});
