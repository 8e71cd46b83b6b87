'use strict';

const assert = require('node:assert/strict');
const { run: apply } = require('../../../lib/commands/apply');
const { run: mongodConf } = require('../../../lib/commands/mongodConf');
const { floodLog, setExternally } = require('../../support/engine');
const { useServer } = require('../../support/one-server');

const DO = Object.freeze({ confirm: true });

describe('lines for mongod.conf with which mongod does not start', function () {
  this.timeout(240_000);
  const place = useServer({
    config:
      'eviction=(threads_min=4,threads_max=4),eviction_dirty_target=5,eviction_dirty_trigger=20',
  });

  it('are not printed beside a wrong order of another session', async () => {
    await setExternally(place.server, 'eviction_dirty_trigger=3');
    const done = await apply(place.context(), { evictionThreadsMax: 6 }, DO);
    assert.deepEqual([done.verified, done.conf], [true, null]);
    assert.match(
      done.warnings.join('\n'),
      /with them evictionDirtyTarget 5% is not below evictionDirtyTrigger 3%, and mongod does not start/,
    );
    assert.doesNotMatch(String(done), /To keep|configString/);
    await assert.rejects(mongodConf(place.context()), { code: 'TUNE-30002' });
  });

  it('are printed by a dry run of a change that puts the order right', async () => {
    await setExternally(place.server, 'eviction_dirty_target=10,eviction_dirty_trigger=15');
    const shown = await apply(place.context(), { evictionDirtyTarget: 5, evictionDirtyTrigger: 8 });
    assert.match(String(shown.conf), /eviction_dirty_trigger=8/);
    assert.doesNotMatch(shown.warnings.join('\n'), /does not start/);
    assert.doesNotMatch(String(shown.conf), /eviction_dirty_target=10/);
  });

  for (const [others, change, expected] of /** @type {[string, any, RegExp][]} */ ([
    [
      'eviction_dirty_trigger=40',
      { evictionDirtyTarget: 25 },
      /evictionDirtyTarget 25% is not below evictionDirtyTrigger 20%/,
    ],
    [
      'eviction=(threads_min=4,threads_max=12)',
      { evictionThreadsMin: 8 },
      /evictionThreadsMin 8 is above evictionThreadsMax 4/,
    ],
  ]))
    it(`are not printed where ${others} is forgotten: its default would count`, async () => {
      await setExternally(place.server, others);
      await floodLog(place.server);
      const done = await apply(place.context(), change, DO);
      assert.deepEqual([done.verified, done.conf], [true, null], String(done));
      assert.match(done.warnings.join('\n'), expected);
      await assert.rejects(mongodConf(place.context(), change), { code: 'TUNE-30002' });
    });
});
