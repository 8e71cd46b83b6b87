'use strict';

const assert = require('node:assert/strict');
const { run: apply } = require('../../../lib/commands/apply');
const { aroundCommand } = require('../../support/around-command');
const { temporaryFolder } = require('../../support/cleanup');
const { contextOf } = require('../../support/context');
const { askedStrings, setExternally } = require('../../support/engine');
const { useServer } = require('../../support/one-server');

const DO = Object.freeze({ confirm: true });

describe('another session changes two settings while a plan reads the last string and the log', function () {
  this.timeout(120_000);
  const place = useServer();

  const others = {
    'with tune, and another journal': async () => {
      const other = temporaryFolder('other');
      await apply(
        contextOf(place.server.client, { home: other.path }),
        { evictionTarget: 70, evictionCheckpointTarget: 2 },
        DO,
      );
      other.remove();
    },
    'by hand': async () => {
      await setExternally(place.server, 'eviction_target=70');
      await setExternally(place.server, 'eviction_checkpoint_target=2');
    },
    'by hand, with an empty string at last': async () => {
      await setExternally(place.server, 'eviction_target=70');
      await setExternally(place.server, '');
    },
  };
  const readings = {
    'the last string': ({ getParameter }) => getParameter === 1,
    'the log': ({ getLog }) => getLog === 'global',
  };
  for (const [who, act] of Object.entries(others))
    for (const [what, isRead] of Object.entries(readings))
      for (const moment of /** @type {const} */ (['before', 'after']))
        it(`${who}, ${moment} ${what} is read: it stays, and is named`, async () => {
          const { server, context } = place;
          await setExternally(server, 'eviction_target=80,eviction_checkpoint_target=1');
          const ctx = aroundCommand(context(), isRead, { [moment]: act });
          const done = await apply(ctx, { evictionTarget: 75 }, DO).catch((error) => error);
          const strings = await askedStrings(server);
          // Either the plan knows of it, or nothing is sent.
          if (done instanceof Error) {
            assert.match(done.message, /eviction_target=70/);
            assert.ok(!strings.at(-1)?.startsWith('eviction_target=75'), strings.join());
          } else assert.deepEqual(done.before, { evictionTarget: 70 });
        });
});
