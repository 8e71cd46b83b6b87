'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { usePatient, warns, DIRECT } = require('../../support/patient');
const { temporaryFolder } = require('../../support/cleanup');
const { run: record } = require('../../../lib/commands/record');
const { run: replay } = require('../../../lib/commands/replay');

const LOW = 'eviction_dirty_target=1,eviction_dirty_trigger=3';
const LOW_UPDATES = 'eviction_updates_target=1,eviction_updates_trigger=2';
const OF_UPDATES = { evictionUpdatesTarget: 0, evictionUpdatesTrigger: 0 };
const DEFAULTS = { evictionDirtyTarget: 5, evictionDirtyTrigger: 20 };

describe('bottleneck: a dirty trigger that somebody lowered', () => {
  const patient = usePatient({ args: ['--wiredTigerEngineConfigString', LOW] });

  it('at startup: cache-dirty; the defaults come back, and the finding goes', () => findAndCure());

  it('at run time: the same', async () => {
    await patient.set(LOW);
    await findAndCure();
  });

  it('in a recording that tells no settings: recognised by clients that evict far below the default', async () => {
    await patient.set(LOW);
    await patient.load('touch');
    await patient.named('cache-dirty');
    const advice = await replayed(5);
    assert.equal(advice.bottleneck, 'cache-dirty', `${advice}`);
    assert.match(advice.because, /dirty trigger appears to be set below its default of 20%/);
    assert.deepEqual(advice.change, DEFAULTS);
  });

  /** What a recording of nothing but statuses tells. @param {number} seconds */
  async function replayed(seconds) {
    const folder = temporaryFolder('thresholds');
    const file = path.join(folder.path, 'plain.jsonl');
    await record(patient.ctx, file, { seconds });
    const [, ...statuses] = fs.readFileSync(file, 'utf8').trim().split('\n');
    fs.writeFileSync(file, statuses.join('\n'));
    const advice = await replay(patient.ctx, file, { facts: { memoryMB: 8192, cores: 4 } });
    folder.remove();
    return advice;
  }

  async function findAndCure() {
    await patient.load('touch');
    const advice = await patient.named('cache-dirty');
    assert.match(advice.because, /dirty trigger is set to only 3%/);
    assert.deepEqual(advice.change, DEFAULTS);
    assert.ok(warns(advice, 'cache-wait'), `${advice}`);
    await patient.take(advice);
    const well = await patient.rid('cache-dirty', 'cache-wait');
    assert.ok(!warns(well, 'dirty-ratio'), `${well}`);
  }
});

describe('bottleneck: a trigger of update data that somebody lowered', () => {
  const patient = usePatient();

  it(
    'cache-dirty, and it is that trigger which is named; it follows the dirty one again, and ' +
      'the finding goes',
    async () => {
      await patient.set(LOW_UPDATES);
      await patient.load('bulk');
      const advice = await patient.named('cache-dirty');
      assert.match(advice.because, /update data, and its trigger is set to only 2%/, `${advice}`);
      assert.deepEqual(advice.change, OF_UPDATES);
      await patient.take(advice);
      const well = await patient.rid('cache-dirty', 'updates-ratio');
      assert.ok(!warns(well, 'updates-ratio'), `${well}`);
    },
  );
});

describe('bottleneck: update data alone at its default trigger', () => {
  const patient = usePatient({ args: DIRECT });

  it('cache-dirty; its trigger alone is to be tried, and with it the finding goes', async () => {
    await patient.mix('loader');
    const advice = await patient.named('cache-dirty');
    assert.deepEqual(advice.change, { evictionUpdatesTrigger: 20 }, `${advice}`);
    assert.match(advice.because, /update data/);
    assert.match(`${advice}`, /tune\.trial\(\{ evictionUpdatesTrigger: 20 \}/);
    await patient.take(advice);
    await patient.rid('cache-dirty', 'updates-ratio');
  });
});
