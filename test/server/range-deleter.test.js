'use strict';

const assert = require('node:assert/strict');
const { contextOf } = require('../support/context');
const { startMix } = require('../support/mixed-load');
const { startShardWithOrphans } = require('../support/orphans');
const { DIRECT } = require('../support/patient');
const { run: advise } = require('../../lib/commands/advise');
const { run: who } = require('../../lib/commands/who');

/** A verdict takes a few seconds; a busy machine some attempts. */
const SECONDS = 5;
const ATTEMPTS = 4;
const LIMIT_MS = 240_000;
const ORPHANS = 40_000;
const MORE = 5000;
const BYTES = 8 * 1024;
/** Documents at once, and the pause after them. */
const QUICK = Object.freeze({ rangeDeleterBatchSize: 1000, rangeDeleterBatchDelayMS: 0 });
const SLOW = Object.freeze({ rangeDeleterBatchSize: 100, rangeDeleterBatchDelayMS: 2000 });

describe('a cause: the range deleter of a real shard', function () {
  this.timeout(LIMIT_MS);
  /** @type {Awaited<ReturnType<typeof startShardWithOrphans>>} */ let cluster;
  /** @type {Awaited<ReturnType<typeof startMix>> | undefined} */ let load;
  before(async () => {
    cluster = await startShardWithOrphans({
      args: [
        ...DIRECT,
        ...['--setParameter', 'orphanCleanupDelaySecs=0'],
        ...['--setParameter', `rangeDeleterBatchSize=${QUICK.rangeDeleterBatchSize}`],
        ...['--setParameter', `rangeDeleterBatchDelayMS=${QUICK.rangeDeleterBatchDelayMS}`],
      ],
    });
    load = await startMix(cluster.shard.uri, 'healthy');
    await cluster.add(ORPHANS, BYTES);
  });
  after(async () => {
    await load?.stop();
    await cluster?.stop();
  });

  const once = () =>
    advise(contextOf(cluster.shard.client), { seconds: SECONDS, includeHost: false });

  it('documents of a moved range that nobody deletes: none', async () => {
    assert.equal((await once()).cause, null);
  });

  it('named by advise and by who; slowed down as the remedy says, gone', async () => {
    await cluster.submit();
    let advice = await once();
    for (let i = 1; i < ATTEMPTS && advice.cause?.kind !== 'range-deleter'; i += 1)
      advice = await once();
    assert.equal(advice.cause?.kind, 'range-deleter', `${advice}`);
    const { culprit, tasks } = await who(contextOf(cluster.shard.client), { seconds: SECONDS });
    assert.equal(tasks[0]?.name, 'range deleter');
    assert.equal(culprit?.task, 'range deleter');
    for (const [name, value] of Object.entries(SLOW)) {
      assert.ok(advice.remedy?.includes(name), String(advice.remedy));
      await cluster.shard.adminCommand({ setParameter: 1, [name]: value });
    }
    await cluster.add(MORE, BYTES);
    await cluster.submit();
    advice = await once();
    for (let i = 1; i < ATTEMPTS && advice.cause !== null; i += 1) advice = await once();
    assert.equal(advice.cause, null, `${advice}`);
    assert.ok(
      (await cluster.shard.db('app').collection('moved').estimatedDocumentCount()) > 0,
      'it goes on slowly',
    );
  });
});
